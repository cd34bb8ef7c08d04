import type { DataProfile, StoredEvent, ThreadEvent } from "@atoll/client";
import { expect, it } from "vitest";
import { emptyConversation, readEvents } from "./conversation.ts";

const asked = { type: "message", message_id: "m1", role: "user", text: "?", mode: "queue" } as const;

it("files that come in the middle of a conversation are told of, each once", () => {
  const { items, data } = read(profile("a.csv"), asked, profile("a.csv"), profile("a.csv", "b.csv"));
  expect(items.map(({ kind }) => kind)).toEqual(["question", "notice"]);
  expect(items[1]).toMatchObject({ event: { type: "tables", tables: [{ name: "b.csv" }], others: [] } });
  expect(data?.tables).toHaveLength(2);
});

it("files at its beginning are on the first screen", () => {
  expect(read(profile("a.csv"), profile("b.csv")).items).toEqual([]);
});

it("a sandbox that is made anew for them says nothing, unless something is lost", () => {
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
