import { setTimeout as wait } from "node:timers/promises";
import { AtollError, type Sandbox, type TableQuery } from "@atoll/sandbox";

const rowsAtOnce = 20_000;
const retryMs = 200;

/**
 * A table that was shown, as CSV, part by part: nobody holds the whole. The first part is there when this resolves, so
 * that a table that is gone is told as such. Later ones wait for code that runs in between.
 */
export async function streamCsv(
  sandbox: Sandbox,
  tableId: string,
  query: Omit<TableQuery, "offset" | "limit">,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const read = (offset: number) =>
    sandbox.python.tableCsv(tableId, { ...query, offset, limit: rowsAtOnce, signal });
  const first = await read(0);
  return ReadableStream.from(
    (async function* () {
      yield first.csv;
      let offset = first.rows;
      for (let part = first; part.rows > 0; offset += part.rows) {
        part = await patiently(() => read(offset), signal);
        if (part.rows > 0) yield part.csv;
      }
    })(),
  );
}

async function patiently<Result>(ask: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof AtollError && error.code === "busy")) throw error;
      await wait(retryMs, undefined, { signal });
    }
  }
}
