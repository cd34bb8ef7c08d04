import { z } from "zod";
import { dataProfileSchema } from "./data-profile.ts";
import { runEventSchemas } from "./run-events.ts";

export const codeLanguageSchema = z.enum(["python", "shell"]);

/** What happens in a thread outside of a run. */
const messageEvent = z.object({
  type: z.literal("message"),
  message_id: z.string(),
  role: z.literal("user"),
  text: z.string(),
  mode: z.enum(["queue", "steer"]),
  kind: z.literal("code").optional().describe("The text is code that is run as it is, without a model"),
  language: codeLanguageSchema.optional().describe("Of code"),
});

const messageRemovedEvent = z.object({ type: z.literal("message_removed"), message_id: z.string() });

const runStartedEvent = z.object({
  type: z.literal("run_started"),
  run_id: z.string(),
  message_id: z.string(),
  model: z.string(),
});

const dataEvent = z
  .object({ type: z.literal("data"), data: dataProfileSchema })
  .describe("The thread's files have been read: tables with their columns, and other files");

export const lostVariableSchema = z.object({ name: z.string(), type: z.string(), reason: z.string() });

/** What became of a kernel's variables when the sandbox was made anew from its files. */
export const restoreFields = {
  restored: z.array(z.string()).optional().describe("Variables that are back, by name"),
  lost: z.array(lostVariableSchema).optional().describe("Variables that are not, and why"),
  variables_at: z
    .string()
    .optional()
    .describe("The sandbox had ended by itself: the variables are as old as this"),
};

const sandboxEvent = z
  .object({
    type: z.literal("sandbox"),
    state: z.enum(["hot", "warm", "cold"]),
    text: z.string().describe("What happened, in words"),
    ...restoreFields,
  })
  .describe("The sandbox was restored, or ended by itself");

/** What code in the sandbox asked of the network, and what became of it. */
export const trafficFields = {
  started_at: z.string().describe("When the first of them began"),
  method: z.string(),
  host: z.string().describe("`(others)`: more hosts in a moment than are told one by one"),
  port: z.number().int(),
  outcome: z.enum(["allowed", "refused", "failed"]),
  reason: z.string().optional().describe("Why it was refused or failed"),
  count: z.number().int().describe("Requests that were the same, told together"),
  sent_bytes: z.number().int(),
  received_bytes: z.number().int(),
  duration_ms: z.number(),
};

const networkEvent = z
  .object({ type: z.literal("network"), ...trafficFields })
  .describe("A program in the sandbox used the network, or tried to");

export const threadEventSchema = z.discriminatedUnion("type", [
  messageEvent,
  messageRemovedEvent,
  runStartedEvent,
  dataEvent,
  sandboxEvent,
  networkEvent,
  ...runEventSchemas,
]);

export type ThreadEvent = z.infer<typeof threadEventSchema>;

const envelope = {
  id: z.number().int().describe("Rises within a thread; also the SSE id"),
  thread_id: z.string(),
  run_id: z.string().optional(),
  at: z.string().describe("ISO 8601, UTC"),
};

/** An event as it is stored, streamed and exported: its own fields beside these. */
export type StoredEvent = ThreadEvent & { id: number; thread_id: string; run_id?: string; at: string };

export const storedEventSchema = z.object(envelope).and(threadEventSchema);
