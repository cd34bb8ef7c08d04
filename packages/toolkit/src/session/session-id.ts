import { createHash } from "node:crypto";
import { AtollError } from "@atoll/sandbox";

const MAX_CHARS = 200;
const PLAIN_ID = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,47}$/;

/**
 * The id of the sandbox of a session. Readable where the session's id can be a part of it, a digest where it cannot; a
 * digest begins with a dash, which nothing readable does. Never the id of a thread that has the same name.
 */
export function sandboxIdOf(sessionId: string): string {
  if (sessionId === "" || sessionId.length > MAX_CHARS)
    throw new AtollError("invalid_argument", `sessionId must have 1 to ${MAX_CHARS} characters`);
  if (PLAIN_ID.test(sessionId)) return `session-${sessionId}`;
  // As UTF-16, so that two texts that are no proper Unicode stay two.
  const digest = createHash("sha256").update(Buffer.from(sessionId, "utf16le")).digest("hex");
  return `session--${digest.slice(0, 40)}`;
}
