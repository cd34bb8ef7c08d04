import type { z } from "zod";
import type { historySchema } from "@atoll/protocol";
import type { ThreadLog } from "../../store/contract.ts";

type Notice = z.infer<typeof historySchema>["notices"][number];

/** What happened to the thread's sandbox, as far as it matters to the conversation. */
export function readNotices(log: Pick<ThreadLog, "read">, threadId: string): Notice[] {
  return log.read(threadId, { types: ["sandbox"] }).flatMap((event) => {
    if (event.type !== "sandbox") return [];
    const { type: _, id: __, thread_id: ___, state: ____, ...notice } = event;
    return [notice];
  });
}
