const listeners = new Set<() => void>();

/** Has the list of threads reloaded wherever it is shown. */
export function refreshThreads(): void {
  for (const listener of listeners) listener();
}

export function onRefresh(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
