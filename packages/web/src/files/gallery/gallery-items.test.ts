import type { Artifact, StoredEvent } from "@atoll/client";
import { describe, expect, it } from "vitest";
import { emptyConversation, readEvents } from "../../thread/conversation.ts";
import { listItems } from "./gallery-items.ts";

const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
const image = (hash: string) => ({ mime: "image/png", url: `/thread/t/blobs/${hash}` });
const conversation = readEvents(emptyConversation, [
  { id: 1, at: at(1), type: "message", message_id: "m", text: "plot" },
  { id: 2, at: at(1), type: "run_started", run_id: "r", message_id: "m", model: "built-in" },
  { id: 3, at: at(2), type: "tool_call", run_id: "r", call_id: "c", tool: "execute_python", input: {} },
  { id: 4, at: at(3), type: "result", run_id: "r", call_id: "c", is_main: false, image: image("aa") },
  { id: 5, at: at(3), type: "result", run_id: "r", call_id: "c", is_main: false, image: image("bb") },
] as unknown as StoredEvent[]);
const version = { hash: "bb", size_bytes: 1, mime: "image/png", at: at(4), run_id: "r" };
const saved: Artifact = { ...version, path: "/workspace/b.png", name: "b.png", versions: [version] };

describe("listGalleryItems", () => {
  it("lists created files and displayed plots, the newest first", () => {
    expect(listItems([saved], conversation).map(({ name, versions }) => [name, versions[0]?.run_id])).toEqual(
      [
        ["b.png", "r"],
        ["plot-1.png", "r"],
      ],
    );
    expect(listItems([], conversation).map(({ name }) => name)).toEqual(["plot-1.png", "plot-2.png"]);
  });
});
