import { setImmediate } from "node:timers/promises";
import type { StoredEvent } from "@atoll/protocol";
import type { ReadLogOptions, ThreadLog } from "../contract.ts";

const partSize = 100;

/** The events of a thread a few at a time, oldest first: between two parts the event loop turns, however long the log is. */
export async function* readInParts(
  log: Pick<ThreadLog, "read">,
  threadId: string,
  options: Pick<ReadLogOptions, "types" | "runId"> = {},
): AsyncGenerator<readonly StoredEvent[]> {
  let after = 0;
  for (;;) {
    const part = log.read(threadId, { ...options, after, limit: partSize });
    if (part.length > 0) yield part;
    const last = part.at(-1);
    if (last === undefined || part.length < partSize) return;
    after = last.id;
    await setImmediate();
  }
}

export async function collect<Item>(parts: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const part of parts) items.push(...part);
  return items;
}
