import { z } from "zod";
import { runErrorSchema, tableSchema } from "../events/run-events.ts";
import { contextName, flagParam, mostWhole, pathText, systemText, wholeParam } from "./ids.ts";
import { limitsSchema, timeoutMs } from "./limits.ts";
import { named } from "./names.ts";
import { networkSchema } from "./network.ts";
import { metricsSchema } from "./threads.ts";

const status = z.enum(["ok", "error", "timeout", "killed"]);
const environment = z.record(
  z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
    .max(200),
  systemText.max(65_536),
);

export const newSandboxBody = named(
  "NewSandbox",
  z.strictObject({
    id: z
      .string()
      .regex(/^[A-Za-z0-9_-]{6,48}$/, "must be 6 to 48 of the characters a-z A-Z 0-9 _ -")
      .optional()
      .describe("Reopens the files kept under this id, or names the new sandbox"),
    runtime: z
      .string()
      .regex(/^(auto|local|docker|pyodide|routed(:\w+)?|host|none)$/, "there is no such runtime")
      .optional()
      .describe("`auto`, `local`, `docker`, `pyodide` or `routed`; default: the server's own"),
    mode: z.enum(["pinned", "ephemeral"]).optional().describe("ephemeral: every run in a fresh sandbox"),
    limits: limitsSchema.optional(),
    env: environment.optional(),
    file_ids: z.array(z.string().min(1).max(64)).max(100).optional().describe("Uploads to show in /data"),
    labels: z.record(z.string().max(100), z.string().max(500)).optional(),
    network: networkSchema.optional().describe("Default: none"),
  }),
);

export const sandboxSchema = named(
  "Sandbox",
  z.object({
    sandbox_id: z.string(),
    state: z.enum(["running", "paused", "dead"]),
    runtime: z.string(),
    mode: z.enum(["pinned", "ephemeral"]),
    created_at: z.string(),
    labels: z.record(z.string(), z.string()),
    limits: z.record(z.string(), z.number()),
    paths: z.record(z.string(), z.string()),
    network: networkSchema,
  }),
);

export const sandboxListSchema = named("SandboxList", z.object({ sandboxes: z.array(sandboxSchema) }));

export const removeSandboxQuery = z.object({
  keep_files: flagParam.optional().describe("true: only the processes end"),
});

export const contextBody = named("ContextChoice", z.strictObject({ context: contextName.optional() }));

const lost = z.object({ name: z.string(), type: z.string(), reason: z.string() });

export const snapshotSchema = named(
  "Snapshot",
  z.object({
    path: z.string(),
    size_bytes: z.number().int(),
    saved: z.array(z.string()),
    lost: z.array(lost),
    duration_ms: z.number(),
  }),
);

export const restoredSchema = named(
  "Restored",
  z.object({ restored: z.array(z.string()), lost: z.array(lost), duration_ms: z.number() }),
);

export const pythonBody = named(
  "PythonRun",
  z.strictObject({ code: z.string(), context: contextName.optional(), timeout_ms: timeoutMs }),
);

export const runOutputSchema = named(
  "RunOutput",
  z.object({
    is_main: z.boolean(),
    text: z.string().optional(),
    html: z.string().optional(),
    markdown: z.string().optional(),
    svg: z.string().optional(),
    png: z.string().optional().describe("Base64"),
    jpeg: z.string().optional().describe("Base64"),
    latex: z.string().optional(),
    json: z.unknown().optional(),
    table: tableSchema.optional(),
    extra: z.record(z.string(), z.unknown()).optional(),
  }),
);

const cut = z.object({ stdout: z.boolean(), stderr: z.boolean() });

export const pythonResultSchema = named(
  "PythonResult",
  z.object({
    run_id: z.string(),
    status,
    exit_code: z.number().int(),
    stdout: z.string(),
    stderr: z.string(),
    truncated: cut.extend({ results: z.boolean() }),
    results: z.array(runOutputSchema),
    error: runErrorSchema.optional(),
    artifacts: z.array(
      z.object({
        path: z.string(),
        size_bytes: z.number().int(),
        hash: z.string(),
        mime: z.string(),
        change: z.enum(["new", "changed"]),
      }),
    ),
    duration_ms: z.number(),
    kernel_restarted: z.boolean(),
    notices: z.array(z.string()),
  }),
);

export const commandBody = named(
  "CommandRun",
  z.strictObject({
    command: z
      .union([systemText.min(1), z.array(systemText).min(1).max(1000)])
      .describe("Text goes through bash, a list is executed as it is"),
    cwd: pathText.optional(),
    env: environment.optional(),
    timeout_ms: timeoutMs,
    background: z.boolean().optional().describe("true: answers at once; read its output later"),
    stdin: z.string().optional(),
  }),
);

export const commandResultSchema = named(
  "CommandResult",
  z.object({
    command_id: z.string(),
    status: z.enum(["running", ...status.options]),
    pid: z.number().int().optional().describe("Of a command in the background"),
    exit_code: z.number().int().optional(),
    signal: z.string().optional(),
    stdout: z.string(),
    stderr: z.string(),
    truncated: cut.optional(),
    duration_ms: z.number().optional(),
    notices: z.array(z.string()).optional(),
  }),
);

export const commandListSchema = named(
  "CommandList",
  z.object({
    commands: z.array(
      z.object({
        command_id: z.string(),
        pid: z.number().int(),
        command: z.union([z.string(), z.array(z.string())]),
        is_running: z.boolean(),
        exit_code: z.number().int().optional(),
        started_at: z.string(),
      }),
    ),
  }),
);

export const outputQuery = z.object({
  stdout_offset: wholeParam(0, mostWhole).optional(),
  stderr_offset: wholeParam(0, mostWhole).optional(),
});

const part = z.object({ offset: z.number().int(), next_offset: z.number().int(), text: z.string() });

export const commandOutputSchema = named(
  "CommandOutput",
  z.object({ command_id: z.string(), is_running: z.boolean(), stdout: part, stderr: part }),
);

export const contextSchema = named(
  "Context",
  z.object({ name: z.string(), is_busy: z.boolean(), execution_count: z.number().int() }),
);

export const contextListSchema = named("ContextList", z.object({ contexts: z.array(contextSchema) }));

export const newContextBody = named("NewContext", z.strictObject({ name: contextName.optional() }));

export const processListSchema = named(
  "ProcessList",
  z.object({
    processes: z.array(
      z.object({
        pid: z.number().int(),
        parent_pid: z.number().int(),
        name: z.string(),
        command_line: z.string(),
        state: z.string(),
        resident_bytes: z.number(),
        cpu_ms: z.number(),
      }),
    ),
  }),
);

export { metricsSchema };
