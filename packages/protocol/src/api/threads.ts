import { z } from "zod";
import { dataProfileSchema } from "../events/data-profile.ts";
import { codeRunSchema } from "../events/run-events.ts";
import { approvalRulesSchema } from "./approvals.ts";
import { codeLanguageSchema, restoreFields } from "../events/thread-events.ts";
import { flagParam, mostWhole, wholeParam } from "./ids.ts";
import { effectiveLimitsSchema, threadLimitsSchema } from "./limits.ts";
import { modelNameSchema } from "./models.ts";
import { named } from "./names.ts";
import { networkSchema } from "./network.ts";
import { resultSchema } from "./results.ts";
import { temporarySchema } from "./sessions.ts";

const sandboxStatus = z.enum(["hot", "warm", "cold"]);
const title = z.string().trim().min(1).max(200);
const approvals = z
  .enum(["off", "on"])
  .describe("on: tools ask before they run; off: they do not. Rules count before either");

const runtime = z.enum(["auto"]);

export const newThreadBody = named(
  "NewThread",
  z.strictObject({
    file_ids: z
      .array(z.string().min(1).max(64))
      .max(100)
      .optional()
      .describe("From POST /upload; without any, the bundled transactions.csv"),
    title: title.optional(),
    model: modelNameSchema.optional(),
    approvals: approvals.optional(),
    approval_rules: approvalRulesSchema.optional(),
    network: networkSchema.optional().describe("Default: what the server gives to threads"),
    limits: threadLimitsSchema.optional().describe("Of its sandbox; those not named are the usual ones"),
    wait: z
      .boolean()
      .optional()
      .describe(
        "false: answered at once, while the sandbox starts; a `data` event tells when the files are read",
      ),
    runtime: runtime
      .optional()
      .describe("auto: light code runs in Pyodide, heavy code in CPython. Default: the server's runtime"),
    temporary: z
      .boolean()
      .optional()
      .describe("true: it is removed when nobody has used it for a while, and holds little"),
  }),
);

export const newThreadSchema = named(
  "ThreadCreated",
  z.object({
    thread_id: z.string(),
    container_status: sandboxStatus,
    workspace: z.string(),
    attached_files: z.array(z.string()).describe("Their names in /data"),
    data: dataProfileSchema.optional().describe("Absent while the files are still being read"),
    temporary: temporarySchema.optional(),
    timings_ms: z.object({ schema_build: z.number(), container_startup: z.number(), total: z.number() }),
  }),
);

export const threadListQuery = z.object({
  query: z.string().max(500).optional().describe("Words to find in titles, messages and answers"),
  limit: wholeParam(1, 200).optional().describe("At most this many; default 50"),
  before: z.string().max(200).optional().describe("The `cursor` of the page before"),
  temporary: flagParam.optional().describe("true: the temporary ones too"),
});

export const threadSummarySchema = named(
  "ThreadSummary",
  z.object({
    thread_id: z.string(),
    title: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    message_count: z.number().int(),
    sandbox_status: sandboxStatus,
    parent_thread_id: z.string().optional().describe("Of a branch: the thread it comes from"),
    parent_message_id: z.string().optional().describe("Of a branch: the message it was branched at"),
    snippet: z.string().optional().describe("Where the query was found"),
  }),
);

export const threadListSchema = named(
  "ThreadList",
  z.object({ threads: z.array(threadSummarySchema), cursor: z.string().optional() }),
);

export const threadSchema = named(
  "Thread",
  threadSummarySchema.omit({ snippet: true }).extend({
    model: z.string().describe("The model that answers here"),
    approvals,
    approval_rules: approvalRulesSchema,
    network: networkSchema.describe("What its sandbox may reach"),
    limits: effectiveLimitsSchema.describe("Of its sandbox, from its next start on"),
    max_limits: effectiveLimitsSchema.describe("The most that may be chosen"),
    runtime: runtime.optional().describe("Absent: the server's runtime"),
    files: z.array(z.object({ file_id: z.string(), filename: z.string(), size_bytes: z.number().int() })),
    temporary: temporarySchema.optional().describe("Absent: it lasts"),
  }),
);

export const threadChangeBody = named(
  "ThreadChange",
  z.strictObject({
    title: title.optional(),
    model: modelNameSchema.nullable().optional().describe("null: the server's model"),
    approvals: approvals.optional(),
    approval_rules: approvalRulesSchema.optional(),
    network: networkSchema
      .nullable()
      .optional()
      .describe("Holds at once, also for a sandbox that runs; null: what the server gives to threads"),
    limits: threadLimitsSchema
      .nullable()
      .optional()
      .describe(
        "Hold from the sandbox's next start on: POST /thread/{thread_id}/suspend ends it. In the place of all that were chosen; null: the usual ones",
      ),
  }),
);

const sandboxLimitsSchema = named("SandboxLimits", z.record(z.string(), z.number()));

export const threadStatusSchema = named(
  "ThreadStatus",
  z.object({
    thread_id: z.string(),
    sandbox_status: sandboxStatus,
    message_count: z.number().int(),
    run: z
      .object({ run_id: z.string(), message_id: z.string(), approvals: z.array(z.string()) })
      .nullable()
      .describe("What is being answered now"),
    queued: z.array(z.string()).describe("Messages that wait, by id"),
    model: z.string(),
    last_event_id: z.number().int(),
    sandbox_since: z.string().optional().describe("Since when the sandbox is in that state"),
    last_used_at: z.string().optional().describe("When the sandbox was used last"),
    wake: z
      .object({
        estimated_ms: z.number(),
        basis: z
          .enum(["own", "others"])
          .describe("This sandbox's own last wake, or the median of the latest wakes of others"),
      })
      .optional()
      .describe("What the next use is going to wait; absent until a wake from this state was measured"),
    limits: sandboxLimitsSchema.describe("Those it runs with, or would be made with"),
    metrics: z
      .lazy(() => metricsSchema)
      .optional()
      .describe("Of a living sandbox; of a warm one, as it was when it was frozen"),
  }),
);

export const metricsSchema = named(
  "SandboxMetrics",
  z.object({
    cpu_ms: z.number(),
    memory_bytes: z.number(),
    memory_limit_bytes: z.number(),
    processes: z.number().int(),
    disk_bytes: z.number(),
    disk_limit_bytes: z.number(),
    uptime_ms: z.number(),
  }),
);

export const historySchema = named(
  "History",
  z.object({
    thread_id: z.string(),
    notices: z
      .array(
        named(
          "HistoryNotice",
          z.object({ at: z.string(), run_id: z.string().optional(), text: z.string(), ...restoreFields }),
        ),
      )
      .describe("When the sandbox was restored, and what came back; oldest first"),
    messages: z.array(
      named(
        "HistoryMessage",
        z.object({
          role: z.enum(["user", "assistant"]),
          content: z.string(),
          message_id: z.string().describe("Of the user's message; an answer has that of its question"),
          at: z.string(),
          kind: z.literal("code").optional().describe("The user ran this code, without a model"),
          language: codeLanguageSchema.optional().describe("Of code"),
          run_id: z.string().optional(),
          status: z.enum(["queued", "running", "completed", "stopped", "failed", "interrupted"]).optional(),
          is_queued: z.boolean().optional().describe("No run has begun with it"),
          model: z.string().optional(),
          code_runs: z.array(codeRunSchema).optional(),
          results: z
            .array(resultSchema)
            .optional()
            .describe("Of an answer: its tables, images and files, in their order"),
          error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }).optional(),
        }),
      ),
    ),
  }),
);

export const eventsQuery = z.object({
  after: wholeParam(0, mostWhole)
    .optional()
    .describe("Only what came after this event; `Last-Event-ID` wins"),
  follow: flagParam.optional().describe("false: what is stored, as JSON"),
  limit: wholeParam(1, 5000).optional().describe("Of a JSON page; default 1000"),
});
