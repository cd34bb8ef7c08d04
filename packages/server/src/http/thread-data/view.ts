import type { DataProfile } from "@atoll/protocol";
import type { Services } from "../services.ts";

/** What a thread works on, and what may be asked of it. */
export async function describeData(
  { log, suggestions }: Pick<Services, "log" | "suggestions">,
  threadId: string,
  language?: "en" | "zh",
) {
  const event = findProfile({ log }, threadId);
  const questions = event ? await suggestions.of(`${threadId} ${event.id}`, event.data, language) : [];
  return { thread_id: threadId, data: event?.data ?? null, suggestions: [...questions] };
}

/** The latest profile of the thread's files; undefined until they have been read. */
export function readData({ log }: Pick<Services, "log">, threadId: string): DataProfile | undefined {
  return findProfile({ log }, threadId)?.data;
}

function findProfile({ log }: Pick<Services, "log">, threadId: string) {
  const [event] = log.read(threadId, { types: ["data"], last: 1 });
  return event?.type === "data" ? event : undefined;
}
