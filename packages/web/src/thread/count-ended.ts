import type { Conversation } from "./conversation.ts";

/** The number of ended answers. A change means that files and variables may have changed. */
export function countEnded({ items }: Conversation): number {
  return items.filter((item) => item.kind === "answer" && item.done).length;
}
