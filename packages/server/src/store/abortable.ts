import { AtollError } from "@atoll/sandbox";

/** The same chunks, until the signal aborts: then it fails at once, also while no chunk comes. */
export async function* iterateUntilAborted(
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  if (signal === undefined) {
    yield* content;
    return;
  }
  // Made for each chunk: one promise that lives as long as the stream would hold on to every chunk raced against it.
  let giveUp: ((error: AtollError) => void) | undefined;
  const makeError = () => new AtollError("aborted", "The upload was given up.", { cause: signal.reason });
  const abort = () => giveUp?.(makeError());
  signal.addEventListener("abort", abort);
  const iterator = content[Symbol.asyncIterator]();
  try {
    for (;;) {
      if (signal.aborted) throw makeError();
      const next = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        giveUp = reject;
        iterator.next().then(resolve, reject);
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", abort);
    // Not awaited: an iterator that waits for its next chunk answers only after it.
    Promise.resolve(iterator.return?.()).catch(() => {});
  }
}
