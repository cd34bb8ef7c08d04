/** The promise's value, or a rejection with the signal's reason as soon as it aborts. The work itself goes on. */
export function rejectOnAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return race(work, signal, (settle) => settle.reject(signal.reason));
}

/** The promise's value, or `undefined` as soon as the signal aborts. The work itself goes on. */
export function resolveOnAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  return race<Value | undefined>(work, signal, (settle) => settle.resolve(undefined));
}

/** The promise's value, or the fallback when it takes longer. Rejects as the work does. */
export async function settleWithin<Value, Fallback>(
  work: Promise<Value>,
  timeoutMs: number,
  fallback: Fallback,
): Promise<Value | Fallback> {
  const { promise, resolve } = Promise.withResolvers<Fallback>();
  const timer = setTimeout(() => resolve(fallback), timeoutMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}

/** Resolves after this time, or at once when the signal aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
    resolve();
  };
  const timer = setTimeout(end, ms);
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted) end();
  return promise;
}

/** The same values, until the signal aborts: then it throws at once, also while no value comes. */
export async function* iterateUntilAborted<Value>(
  values: AsyncIterable<Value>,
  signal: AbortSignal,
  makeError: () => unknown = () => signal.reason,
): AsyncGenerator<Value> {
  // Set for each value: one promise that lives as long as the stream would hold on to every value raced against it.
  let giveUp: ((error: unknown) => void) | undefined;
  const abort = () => giveUp?.(makeError());
  signal.addEventListener("abort", abort);
  const iterator = values[Symbol.asyncIterator]();
  try {
    for (;;) {
      if (signal.aborted) throw makeError();
      const next = await new Promise<IteratorResult<Value>>((resolve, reject) => {
        giveUp = reject;
        iterator.next().then(resolve, reject);
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", abort);
    // Not awaited: an iterator that waits for its next value answers only after it.
    Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

function race<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
  onAbort: (settle: PromiseWithResolvers<Value>) => void,
): Promise<Value> {
  const settle = Promise.withResolvers<Value>();
  const abort = () => onAbort(settle);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  work.then(settle.resolve, settle.reject);
  return settle.promise.finally(() => signal.removeEventListener("abort", abort));
}
