import type { DataProfile } from "@atoll/agent";
import type { Services } from "../../services.ts";

/** What a thread works on, and what may be asked of it. */
export function describeData(
  { log, suggestQuestions }: Pick<Services, "log" | "suggestQuestions">,
  threadId: string,
  language?: "en" | "zh",
) {
  const data = readData({ log }, threadId);
  const suggestions = data ? [...suggestQuestions(data, language)] : [];
  return { thread_id: threadId, data: data ?? null, suggestions };
}

/** The latest profile of the thread's files; undefined until they have been read. */
export function readData({ log }: Pick<Services, "log">, threadId: string): DataProfile | undefined {
  const [event] = log.read(threadId, { types: ["data"], last: 1 });
  return event?.type === "data" ? event.data : undefined;
}
