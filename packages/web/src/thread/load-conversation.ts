import type { AtollClient } from "@atoll/client";
import { type Conversation, emptyConversation, readEvents } from "./conversation.ts";

const PAGE = 5000;

/** Reads a thread's log to its current end. `known`: what was read before. */
export async function loadConversation(
  client: AtollClient,
  threadId: string,
  options: { known?: Conversation; signal?: AbortSignal; onPage?(conversation: Conversation): void } = {},
): Promise<Conversation> {
  const { known = emptyConversation, signal, onPage } = options;
  let conversation = known;
  for (let after = known.lastEventId, hasMore = true; hasMore;) {
    const page = await client.threads.readEvents(threadId, { after, limit: PAGE, signal });
    conversation = readEvents(conversation, page.events);
    onPage?.(conversation);
    after = page.next_after;
    hasMore = page.has_more;
  }
  return conversation;
}
