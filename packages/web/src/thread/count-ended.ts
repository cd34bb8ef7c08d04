import type { Conversation } from "./conversation.ts";

/** How many answers have ended. When it changes, files and variables may have. */
export function countEnded({ items }: Conversation): number {
  return items.filter((item) => item.kind === "answer" && item.done).length;
}
