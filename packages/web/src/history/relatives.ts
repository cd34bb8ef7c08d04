import type { ThreadSummary } from "@atoll/client";

/** Threads that hold something, those of the same family first. */
export function findRelatives(threads: readonly ThreadSummary[], threadId: string): readonly ThreadSummary[] {
  const byId = new Map(threads.map((thread) => [thread.thread_id, thread]));
  const rootOf = (id: string, seen = new Set<string>()): string => {
    const parent = byId.get(id)?.parent_thread_id;
    return parent === undefined || seen.has(id) ? id : rootOf(parent, seen.add(id));
  };
  const root = rootOf(threadId);
  const isRelative = ({ thread_id: id }: ThreadSummary) => rootOf(id) === root;
  const used = threads.filter(({ message_count: count, thread_id: id }) => count > 0 || id === threadId);
  return [...used.filter(isRelative), ...used.filter((thread) => !isRelative(thread))];
}
