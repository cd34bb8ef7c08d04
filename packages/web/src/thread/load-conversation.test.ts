import type { AtollClient, StoredEvent } from "@atoll/client";
import { describe, expect, it } from "vitest";
import { loadConversation } from "./load-conversation.ts";

const events = [1, 2, 3].map(
  (id) =>
    ({ id, type: "message", message_id: `m${id}`, role: "user", text: String(id), mode: "queue" }) as never,
) as StoredEvent[];

/** Gives two events at a time, and notes from where it was asked. */
function makeClient(asked: number[]): AtollClient {
  const readEvents = async (_: string, { after }: { after: number }) => {
    asked.push(after);
    const page = events.filter(({ id }) => id > after).slice(0, 2);
    const last = page.at(-1)?.id ?? after;
    return { events: page, next_after: last, has_more: last < events.length };
  };
  return { threads: { readEvents } } as unknown as AtollClient;
}

describe("loadConversation", () => {
  it("reads the log page by page, after the events that are known", async () => {
    const asked: number[] = [];
    const client = makeClient(asked);
    const pages: number[] = [];
    const whole = await loadConversation(client, "t", { onPage: ({ items }) => pages.push(items.length) });
    expect([asked, pages, whole.lastEventId]).toEqual([[0, 2], [2, 3], 3]);

    asked.length = 0;
    const again = await loadConversation(client, "t", { known: whole });
    expect([asked, again.items.length, again.lastEventId]).toEqual([[3], 3, 3]);
  });
});
