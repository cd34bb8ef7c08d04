import type { AnswerRequest } from "@atoll/agent";
import { createKeeping } from "./keeping.ts";
import type { RunnerContext } from "./options.ts";
import type { Restores } from "./restore-notices.ts";

/** What every run of a thread is given by the server that it runs on. */
export function describeSurroundings(
  context: RunnerContext,
  restores: Restores,
  threadId: string,
): Pick<
  AnswerRequest,
  "restore" | "network" | "runtime" | "tools" | "toolContext" | "keepImage" | "keepArtifact"
> {
  const { store, tools, toolContext, networkOf } = context;
  const restore = restores.unsaid(threadId);
  const settings = store.threads.get(threadId)?.settings ?? {};
  const network = networkOf?.(settings);
  return {
    restore,
    network,
    runtime: settings.runtime,
    tools,
    ...(toolContext ? { toolContext: toolContext(threadId) } : {}),
    ...createKeeping(context, threadId),
  };
}
