import type { ThreadSummary } from "@atoll/client";

export type Age = "today" | "yesterday" | "week" | "older";

export interface ThreadGroup {
  readonly age: Age;
  readonly list: readonly { readonly thread: ThreadSummary; readonly depth: number }[];
}

const DEEPEST = 3;

/** Groups threads by age, with branches below their origin. A family is as recent as its latest member. */
export function arrangeThreads(threads: readonly ThreadSummary[], now = new Date()): readonly ThreadGroup[] {
  const known = new Set(threads.map(({ thread_id: id }) => id));
  const children = Map.groupBy(threads, ({ parent_thread_id: parent }) =>
    parent !== undefined && known.has(parent) ? parent : "",
  );
  const listFamily = (thread: ThreadSummary, depth: number): { thread: ThreadSummary; depth: number }[] => [
    { thread, depth: Math.min(depth, DEEPEST) },
    ...(children.get(thread.thread_id) ?? []).flatMap((child) => listFamily(child, depth + 1)),
  ];
  const families = (children.get("") ?? []).map((root) => listFamily(root, 0));
  const sorted = families
    .map((list) => ({
      list,
      latest:
        list
          .map(({ thread }) => thread.updated_at)
          .toSorted()
          .at(-1) ?? "",
    }))
    .toSorted((a, b) => b.latest.localeCompare(a.latest));
  const groups = Map.groupBy(sorted, ({ latest }) => ageOf(latest, now));
  return [...groups].map(([age, members]) => ({ age, list: members.flatMap(({ list }) => list) }));
}

function ageOf(at: string, now: Date): Age {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const days = (midnight - Date.parse(at)) / 86_400_000;
  if (days <= 0) return "today";
  if (days <= 1) return "yesterday";
  return days <= 6 ? "week" : "older";
}
