/** Resolves after this time, or at once when the signal aborts. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    function end(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    }
  });
}

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
  await wait(graceMs, settled);
  return stopped;
}
