import { z } from "zod";
import { fileSchema } from "./files.ts";
import { messageBody } from "./messages.ts";
import { named } from "./names.ts";

const sessionId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{6,80}$/, "must be 6 to 80 of A-Z a-z 0-9 _ -")
  .describe("Chosen by the client; its first use makes a temporary thread");

export const temporarySchema = named(
  "TemporaryThread",
  z.object({
    expires_at: z.string().describe("When it ends unless it is used before; ISO 8601, UTC"),
    ttl_s: z.number().describe("From its last use"),
    max_bytes: z.number().int().describe("Of uploads, files in the sandbox and kept copies, together"),
    used_bytes: z.number().int(),
  }),
);

/** Clients of earlier systems send more than is needed here. */
export const chatBody = named(
  "ChatMessage",
  z.object({ session_id: sessionId, message: messageBody.shape.message, mode: messageBody.shape.mode }),
);

export const sessionBody = named("SessionName", z.object({ session_id: sessionId }));
export const sessionQuery = z.object({ session_id: sessionId });
export const optionalSessionQuery = z.object({
  session_id: sessionId.optional().describe("May also be a field of the form"),
});

export const sessionFilesSchema = named(
  "SessionFiles",
  z.object({
    session_id: z.string(),
    thread_id: z.string(),
    files: z.array(fileSchema).describe("In /data and /workspace"),
  }),
);

export const leftSchema = named(
  "ThreadLeft",
  z.object({ thread_id: z.string(), expires_at: z.string().describe("Any use before then takes it back") }),
);
