import { sleep } from "@atoll/std";

export const stopped = Symbol("stopped");

/** The promise's value, or `stopped` once the signal has aborted and `graceMs` have passed. What fails after the abort is stopped too. */
export async function orStopped<Value>(
  promise: Promise<Value>,
  signal: AbortSignal,
  graceMs = 0,
): Promise<Value | typeof stopped> {
  const settled = new AbortController();
  try {
    return await Promise.race([promise, afterAbort(signal, graceMs, settled.signal)]);
  } catch (error) {
    if (signal.aborted) return stopped;
    throw error;
  } finally {
    settled.abort();
    promise.catch(() => {});
  }
}

async function afterAbort(
  signal: AbortSignal,
  graceMs: number,
  settled: AbortSignal,
): Promise<typeof stopped> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true, signal: settled });
  });
  await sleep(graceMs, settled);
  return stopped;
}
