import type { DataProfile, StoredEvent, ThreadEvent } from "@atoll/client";
import { describe, expect, it } from "vitest";
import { emptyConversation, readEvents } from "./conversation.ts";

const asked = { type: "message", message_id: "m1", role: "user", text: "?", mode: "queue" } as const;

describe("files in a conversation", () => {
  it("adds a notice for files that arrive during a conversation, once each", () => {
    const { items, data } = read(profile("a.csv"), asked, profile("a.csv"), profile("a.csv", "b.csv"));
    expect(items.map(({ kind }) => kind)).toEqual(["question", "notice"]);
    expect(items[1]).toMatchObject({ event: { type: "tables", tables: [{ name: "b.csv" }], others: [] } });
    expect(data?.tables).toHaveLength(2);
  });

  it("adds no notice for files before the first question", () => {
    expect(read(profile("a.csv"), profile("b.csv")).items).toEqual([]);
  });

  it("adds a notice for a recreated sandbox only if something is lost", () => {
    const restored = { type: "sandbox", text: "back", restored: ["df"] } as unknown as ThreadEvent;
    const lost = {
      type: "sandbox",
      text: "back",
      lost: [{ name: "model", reason: "too large" }],
    } as unknown as ThreadEvent;
    expect(read(restored).items).toEqual([]);
    expect(read(lost).items).toHaveLength(1);
    expect(read(asked, restored).items).toHaveLength(2);
  });
});

function profile(...names: string[]): ThreadEvent {
  const tables = names.map((name) => ({ name, file: `/data/${name}`, rows: 1, columns: [] }));
  return { type: "data", data: { tables, others: [] } as unknown as DataProfile } as ThreadEvent;
}

function read(...events: readonly ThreadEvent[]) {
  const stored = events.map(
    (event, at) => ({ ...event, id: at + 1, at: "2026-01-01T00:00:00Z" }) as StoredEvent,
  );
  return readEvents(emptyConversation, stored);
}
