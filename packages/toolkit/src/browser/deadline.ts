/** What the work gives, or the fallback when it fails or takes longer: for what a page may refuse to answer. */
export async function orElse<Value>(
  fallback: Value,
  work: Promise<Value>,
  timeoutMs: number,
): Promise<Value> {
  const { promise, resolve } = Promise.withResolvers<Value>();
  const timer = setTimeout(() => resolve(fallback), timeoutMs);
  work.then(resolve, () => resolve(fallback));
  return promise.finally(() => clearTimeout(timer));
}
