/**
 * Waits for the first bytes: what cannot be read is known before the stream is handed on, instead of breaking off in the
 * hands of whoever got it.
 */
export async function beginStream(stream: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
  const reader = stream.getReader();
  let next: ReturnType<typeof reader.read> | undefined = Promise.resolve(await reader.read());
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await (next ?? reader.read());
      next = undefined;
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
