const listeners = new Set<() => void>();

/** The list of threads has changed: whoever shows it looks again. */
export function refreshThreads(): void {
  for (const listener of listeners) listener();
}

export function onRefresh(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
