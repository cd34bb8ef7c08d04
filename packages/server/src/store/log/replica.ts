import type { Append } from "./batch.ts";
import type { ThreadChanges } from "./placement.ts";

/** Where a batch has to be before it is stored here and shown to anybody. */
export interface Replica {
  /**
   * Sets the refusal of the appends that it could not store, all those of a thread or none. Never rejects. The next
   * batch comes when this one has resolved.
   */
  store(batch: readonly Append[], changes: readonly ThreadChanges[]): Promise<void>;
}
