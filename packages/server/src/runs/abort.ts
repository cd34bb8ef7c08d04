import { setTimeout as wait } from "node:timers/promises";

/** The promise's value, or the signal's reason as soon as it aborts. What the promise stands for goes on. */
export function rejectOnAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  promise.catch(() => {});
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener("abort", abort));
}

export async function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal, ref: false }).catch(() => {});
}

/** Rejects when this long has passed after the abort, unless the work has ended by then. */
export async function rejectAfterAbort(
  signal: AbortSignal,
  graceMs: number,
  work: () => Promise<unknown>,
): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = () => {
    const timer = setTimeout(() => reject(signal.reason), graceMs);
    void work().then(() => clearTimeout(timer));
  };
  if (signal.aborted) giveUp();
  else signal.addEventListener("abort", giveUp, { once: true });
  return promise;
}
