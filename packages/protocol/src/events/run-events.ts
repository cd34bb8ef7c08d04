import { z } from "zod";
import { NOTICE_CODES } from "../notices.ts";
import { placeReasonCodes } from "../place-reasons.ts";

/**
 * What a run tells while it works. These are the events of the thread log and of every stream, so their names and
 * fields are the wire's. A run ends with exactly one `done`; if it failed, an `error` comes before it.
 */
const statusEvent = z.object({
  type: z.literal("status"),
  text: z.string(),
  code: z
    .enum([
      "reading_files",
      "waiting_for_sandbox",
      "thinking",
      "writing_code",
      "preparing_call",
      "retrying",
      "shortening",
      "without_pictures",
      "summing_up",
      "session_full",
    ])
    .optional()
    .describe("For pages in other languages; absent where only the text tells what is done"),
});

const tokenEvent = z.object({ type: z.literal("token"), text: z.string() });

const parentCallId = z
  .string()
  .optional()
  .describe("The call that this one is a part of, where a program or another agent makes it");
const agent = z.string().optional().describe("Whose call it is; absent: `main`, which talks to the user");

const toolCallEvent = z.object({
  type: z.literal("tool_call"),
  call_id: z.string(),
  tool: z.string(),
  input: z.unknown().describe("The arguments as the model gave them"),
  agent,
  parent_call_id: parentCallId,
});

const outputEvent = z.object({
  type: z.literal("output"),
  call_id: z.string(),
  stream: z.enum(["stdout", "stderr"]),
  text: z.string(),
});

export const tableSchema = z.object({
  table_id: z
    .string()
    .optional()
    .describe("Under this name the kernel has the whole table, until newer ones need the room or it ends"),
  columns: z.array(z.object({ name: z.string(), dtype: z.string() })),
  rows: z.array(z.array(z.unknown())).describe("The first rows; missing values are null, dates ISO strings"),
  index: z.array(z.unknown()).optional(),
  index_names: z.array(z.string().nullable()).optional(),
  total_rows: z.number().int(),
  total_columns: z.number().int(),
});

export const imageSchema = z.object({
  mime: z.string(),
  url: z.string().describe("Where to get it, on this server"),
});

const resultEvent = z.object({
  type: z.literal("result"),
  call_id: z.string(),
  is_main: z.boolean().describe("The value of the last expression, not something displayed on the way"),
  text: z.string().optional(),
  html: z.string().optional(),
  markdown: z.string().optional(),
  latex: z.string().optional(),
  json: z.unknown().optional(),
  table: tableSchema.optional(),
  image: imageSchema.optional(),
  extra: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Further media types, e.g. Vega-Lite or Plotly"),
});

const artifactEvent = z.object({
  type: z.literal("artifact"),
  call_id: z.string(),
  path: z.string(),
  size_bytes: z.number().int(),
  hash: z.string().describe("SHA-256 of its content, in hex"),
  mime: z.string(),
  change: z.enum(["new", "changed"]),
  url: z.string().optional().describe("Absent when the file was too large to keep a copy of"),
});

export const runErrorSchema = z.object({ name: z.string(), value: z.string(), traceback: z.string() });

export const codeRunSchema = z.object({
  call_id: z.string(),
  language: z.enum(["python", "shell"]),
  code: z.string(),
  output: z.string().describe("What the run printed and showed, as text"),
  exec_ms: z.number(),
  status: z.enum(["ok", "error", "timeout", "killed"]),
  exit_code: z.number().int(),
  truncated: z.boolean(),
  error: runErrorSchema.optional(),
  notices: z.array(z.string()).optional(),
  coded_notices: z
    .array(
      z.object({
        code: z.enum(NOTICE_CODES),
        values: z.record(z.string(), z.union([z.string(), z.number()])),
        text: z.string(),
      }),
    )
    .optional()
    .describe("The same as `notices`, to be said in another language"),
  place: z
    .object({
      runtime: z.enum(["pyodide", "cpython"]),
      reason: z.string().describe("e.g. `imports pandas`"),
      reasons: z
        .array(
          z.object({
            code: z.enum(placeReasonCodes),
            of: z.string().optional().describe("What it is about, such as the module's name"),
            via: z
              .array(z.string())
              .optional()
              .describe("Modules of the user's own through which the code does it"),
            before: z.literal(true).optional().describe("It was so when the same code ran before"),
          }),
        )
        .optional()
        .describe("The same, to be said in another language"),
      retried: z
        .boolean()
        .optional()
        .describe("It was run again here, because the other one could not do it"),
    })
    .optional()
    .describe("In a thread with two runtimes: the one that it ran in, and why"),
});

const codeRunEvent = codeRunSchema.extend({ type: z.literal("code_run") });

const toolResultEvent = z.object({
  type: z.literal("tool_result"),
  call_id: z.string(),
  tool: z.string(),
  output: z.string().describe("What the model was told"),
  is_error: z.boolean(),
  duration_ms: z.number(),
  parent_call_id: parentCallId,
});

const approvalEvent = z.object({
  type: z.literal("approval"),
  approval_id: z.string(),
  call_id: z.string(),
  tool: z.string(),
  input: z.unknown(),
  agent,
  parent_call_id: parentCallId,
  expires_at: z.string().optional().describe("When it counts as refused; ISO 8601, UTC"),
});

const approvalDecidedEvent = z.object({
  type: z.literal("approval_decided"),
  approval_id: z.string(),
  call_id: z.string(),
  decision: z.enum(["allow", "deny"]),
  reason: z.string().optional(),
  by: z
    .enum(["user", "rule", "timeout", "end"])
    .optional()
    .describe("What decided; `end`: the run ended before anybody did"),
  input: z.unknown().optional().describe("The arguments that the call runs with instead of its own"),
  remember: z
    .enum(["call", "tool"])
    .optional()
    .describe("From now on the same is decided for this call, or for whatever this agent does with the tool"),
});

const steeredEvent = z.object({
  type: z.literal("steered"),
  message_id: z.string().describe("The message that reached the model in mid-run"),
});

const titleEvent = z.object({ type: z.literal("title"), title: z.string() });

const errorEvent = z.object({
  type: z.literal("error"),
  code: z.string(),
  message: z.string(),
  hint: z.string().optional(),
});

export const timingsSchema = z
  .object({
    ttft: z.number().nullable().describe("Message accepted → first token"),
    ttft_saved: z.number().nullable().describe("How much earlier than the whole answer the first token came"),
    sandbox_restore: z.number().describe("Until the sandbox was usable; runs beside the first model call"),
    openai_per_call: z.array(z.number()).describe("Each model call, whichever the provider"),
    openai_total: z.number(),
    exec_per_call: z.array(z.number()),
    exec_total: z.number(),
    overhead: z.number().describe("What is left of the total"),
  })
  .describe("Measured, in milliseconds");

export const usageSchema = z.object({
  input_tokens: z.number().int(),
  output_tokens: z.number().int(),
});

export const runOutcomeSchema = z.object({
  status: z.enum(["completed", "stopped", "failed", "interrupted"]),
  response: z.string().describe("The answer's text, as far as it came"),
  model: z.string().describe("`built-in` for the built-in analyst, else provider:model"),
  container_state: z.string().describe("e.g. `hot`, or `cold→hot (35ms)`"),
  openai_calls: z.number().int(),
  total_ms: z.number(),
  timings_ms: timingsSchema,
  code_runs: z.array(codeRunSchema),
  usage: usageSchema.optional(),
});

const doneEvent = runOutcomeSchema.extend({
  type: z.literal("done"),
  thread_id: z.string(),
  run_id: z.string(),
  message_id: z.string(),
});

export const runEventSchemas = [
  statusEvent,
  tokenEvent,
  toolCallEvent,
  outputEvent,
  resultEvent,
  artifactEvent,
  codeRunEvent,
  toolResultEvent,
  approvalEvent,
  approvalDecidedEvent,
  steeredEvent,
  titleEvent,
  errorEvent,
  doneEvent,
] as const;

export type RunEvent = z.infer<(typeof runEventSchemas)[number]>;
export type RunOutcome = z.infer<typeof runOutcomeSchema>;
export type CodeRun = z.infer<typeof codeRunSchema>;
export type WireTable = z.infer<typeof tableSchema>;
