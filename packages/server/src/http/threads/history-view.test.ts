import { expect, test } from "vitest";
import type { StoredEvent, ThreadEvent } from "@atoll/protocol";
import { readHistory } from "./history-view.ts";

const at = "2026-01-01T00:00:00.000Z";

function store(events: readonly (readonly [ThreadEvent, string?])[]): StoredEvent[] {
  return events.map(
    ([event, runId], index) =>
      ({ ...event, id: index + 1, thread_id: "t", at, run_id: runId }) as StoredEvent,
  );
}

const message = (id: string): readonly [ThreadEvent] => [
  { type: "message", message_id: id, role: "user", text: `text of ${id}`, mode: "queue" },
];
const started = (runId: string, id: string): readonly [ThreadEvent, string] => [
  { type: "run_started", run_id: runId, message_id: id, model: "built-in" },
  runId,
];
const token = (runId: string, text: string): readonly [ThreadEvent, string] => [
  { type: "token", text },
  runId,
];

test("an answer under way stands behind its question, as far as it came", () => {
  const history = readHistory(
    store([message("m1"), started("r1", "m1"), message("m2"), token("r1", "so "), token("r1", "far")]),
  );
  expect(history.map(({ role, content, status }) => [role, content, status])).toEqual([
    ["user", "text of m1", undefined],
    ["assistant", "so far", "running"],
    ["user", "text of m2", "queued"],
  ]);
  expect(history[2]?.is_queued).toBe(true);
});

test("code that the user ran is told as such", () => {
  const code = { ...message("m1")[0], kind: "code", language: "shell" } as ThreadEvent;
  const history = readHistory(store([[code], started("r1", "m1")]));
  expect(history.map(({ role, kind, language }) => [role, kind, language])).toEqual([
    ["user", "code", "shell"],
    ["assistant", undefined, undefined],
  ]);
});

test("a message that steered a run stands before its answer", () => {
  const steered = [{ type: "steered", message_id: "m2" }, "r1"] as const;
  const history = readHistory(
    store([message("m1"), started("r1", "m1"), message("m2"), steered, token("r1", "both")]),
  );
  expect(history.map(({ role, run_id }) => [role, run_id])).toEqual([
    ["user", "r1"],
    ["user", "r1"],
    ["assistant", "r1"],
  ]);
});

test("a message that was taken back is not told of, and an error belongs to its run", () => {
  const removed = [{ type: "message_removed", message_id: "m1" }] as const;
  const failed = [{ type: "error", code: "model_error", message: "no key" }, "r2"] as const;
  const history = readHistory(store([message("m1"), message("m2"), removed, started("r2", "m2"), failed]));
  expect(history.map(({ content }) => content)).toEqual(["text of m2", ""]);
  expect(history[1]?.error).toEqual({ code: "model_error", message: "no key" });
});

test("an answer has its tables, images and files, also while it is under way", () => {
  const image = { mime: "image/png", hash: "h", url: "/thread/t/blobs/h" };
  const shown = [{ type: "result", call_id: "c1", image }, "r1"] as unknown as readonly [ThreadEvent, string];
  const file = { path: "/workspace/a.csv", size_bytes: 3, mime: "text/csv", hash: "g" };
  const kept = [{ type: "artifact", call_id: "c1", ...file }, "r1"] as unknown as readonly [
    ThreadEvent,
    string,
  ];
  const history = readHistory(store([message("m1"), started("r1", "m1"), shown, kept]));
  expect(history[1]?.results).toEqual([
    { kind: "image", call_id: "c1", mime: "image/png", url: image.url },
    { kind: "artifact", call_id: "c1", ...file },
  ]);
});
