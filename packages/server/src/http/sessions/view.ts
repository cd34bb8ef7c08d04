import type { z } from "zod";
import type { temporarySchema } from "@atoll/protocol";
import type { Services } from "../services.ts";
import type { ThreadRecord } from "../../store/contract.ts";

/** Nothing for a thread that lasts. */
export async function describeTemporary(
  { sessions }: Pick<Services, "sessions">,
  thread: ThreadRecord,
): Promise<{ temporary?: z.infer<typeof temporarySchema> }> {
  const { temporary } = thread;
  if (!temporary || !sessions) return {};
  const expiresAtMs = sessions.expiresAtMs(thread.id) ?? temporary.expiresAtMs;
  return {
    temporary: {
      expires_at: new Date(expiresAtMs).toISOString(),
      ttl_s: temporary.ttlMs / 1000,
      max_bytes: temporary.maxBytes,
      used_bytes: await sessions.quota.usedBytes(thread),
    },
  };
}
