import type { FileStat, WriteOptions } from "../contract/files.ts";
import type { Guest } from "./wire/guest.ts";

const chunkBytes = 1 << 20;
const requestsAhead = 4;

/** Sends a stream in chunks; the file appears under its name only when all of it is there. */
export async function writeChunks(
  guest: Guest,
  params: Record<string, unknown>,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: WriteOptions,
): Promise<FileStat> {
  const { signal } = options;
  const opened = await guest.call<{ handle: number }>(
    "files.create",
    { ...params, isWhole: false },
    { signal },
  );
  const { handle } = opened.result;
  const inFlight: Promise<unknown>[] = [];
  try {
    for await (const chunk of source) {
      for (let at = 0; at < chunk.length; at += chunkBytes) {
        if (inFlight.length >= requestsAhead) await inFlight.shift();
        const put = guest.call(
          "files.put",
          { handle },
          { body: chunk.subarray(at, at + chunkBytes), signal },
        );
        put.catch(() => {}); // Heard when its turn comes.
        inFlight.push(put);
      }
    }
    await Promise.all(inFlight);
    return (await guest.call<FileStat>("files.commit", { handle }, { signal })).result;
  } catch (error) {
    await guest.call("files.close", { handle }).catch(() => {});
    throw error;
  }
}
