import { AtollError } from "../../errors.ts";
import type { GuestEvent } from "./connection.ts";
import type { Guest } from "./guest.ts";

const highWater = 256;

/** The events of one call as an iterable, on a connection of their own: a slow reader holds up only the source. */
export async function* streamEvents<Item>(
  guest: Guest,
  method: string,
  params: Record<string, unknown>,
  signal: AbortSignal | undefined,
  convert: (event: GuestEvent) => Item | undefined,
): AsyncGenerator<Item> {
  if (signal?.aborted) return;
  const connection = await guest.dial();
  const queue: Item[] = [];
  let failure: unknown;
  let isOver = false;
  let wake = () => {};
  const onEvent = (event: GuestEvent) => {
    const item = convert(event);
    if (item !== undefined) queue.push(item);
    if (queue.length >= highWater) connection.pause();
    wake();
  };
  const end = (error?: unknown) => {
    isOver = true;
    failure = error;
    wake();
  };
  connection.call(method, params, { onEvent, signal }).then(() => end(), end);
  try {
    while (true) {
      while (queue.length > 0) yield queue.shift() as Item;
      if (isOver) break;
      connection.resume();
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    if (failure && !(failure instanceof AtollError && failure.code === "aborted")) throw failure;
  } finally {
    await connection.close();
  }
}
