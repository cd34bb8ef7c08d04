import { createHash } from "node:crypto";
import type { DataProfile, RunEvent, StoredEvent, ThreadEvent } from "@atoll/protocol";
import type { ExportInput } from "./export-thread.ts";

const threadId = "thread-1";
/** One pixel. */
export const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const hash = createHash("sha256").update(png).digest("hex");
export const image = { mime: "image/png", url: `/thread/${threadId}/blobs/${hash}` };

/** A log of these events, as the store would give it. */
export function makeInput(
  events: readonly ThreadEvent[],
  title: string | null = "Top 5 categories",
): ExportInput & { readonly events: readonly StoredEvent[] } {
  const createdAt = "2025-11-15T12:00:00.000Z";
  const stored = events.map((event, number) => ({
    ...event,
    id: number + 1,
    thread_id: threadId,
    at: createdAt,
  })) as StoredEvent[];
  const thread = {
    id: threadId,
    title,
    settings: {},
    fileIds: [],
    messageCount: 1,
    createdAt,
    updatedAt: createdAt,
  } as ExportInput["thread"];
  const blobs = {
    stat: (_: string, wanted: string) => (wanted === hash ? { sizeBytes: png.length } : undefined),
    read: () => new Blob([png]).stream(),
  } as unknown as ExportInput["blobs"];
  return { thread, events: stored, parts: ReadableStream.from([stored]), blobs };
}

export const message = (messageId: string, text: string): ThreadEvent => ({
  type: "message",
  message_id: messageId,
  role: "user",
  text,
  mode: "queue",
});

export const started = (messageId: string): ThreadEvent => ({
  type: "run_started",
  run_id: `run-${messageId}`,
  message_id: messageId,
  model: "built-in",
});

export const call = (callId: string, tool: string, input: unknown): ThreadEvent => ({
  type: "tool_call",
  call_id: callId,
  tool,
  input,
});

export const ran = (
  callId: string,
  code: string,
  rest: Partial<Extract<RunEvent, { type: "code_run" }>> = {},
): ThreadEvent => ({
  type: "code_run",
  call_id: callId,
  language: "python",
  code,
  output: "",
  exec_ms: 3,
  status: "ok",
  exit_code: 0,
  truncated: false,
  ...rest,
});

export const done = (
  messageId: string,
  status: "completed" | "stopped" | "failed" | "interrupted" = "completed",
  response = "",
): ThreadEvent => ({
  type: "done",
  thread_id: threadId,
  run_id: `run-${messageId}`,
  message_id: messageId,
  status,
  response,
  model: "built-in",
  container_state: "hot",
  openai_calls: 0,
  total_ms: 10,
  timings_ms: {
    ttft: 1,
    ttft_saved: 1,
    sandbox_restore: 1,
    openai_per_call: [],
    openai_total: 0,
    exec_per_call: [],
    exec_total: 0,
    overhead: 0,
  },
  code_runs: [],
});

export const data: DataProfile = {
  tables: [
    {
      file: "/data/transactions.csv",
      name: "transactions.csv",
      variable: "df",
      alias: "transactions",
      format: "csv",
      separator: ",",
      encoding: "utf-8",
      rows: 6218,
      loaded_rows: 6218,
      columns: [
        { name: "date", dtype: "datetime64[us]", kind: "date", missing: 0, samples: [] },
        { name: "category", dtype: "str", kind: "category", missing: 0, samples: [] },
        { name: "amount", dtype: "float64", kind: "number", missing: 0, samples: [] },
      ],
      sample: [],
      notes: [],
    },
  ],
  others: [{ file: "/data/笔记.pdf", name: "笔记.pdf", size_bytes: 12 }],
};

const table = {
  columns: [{ name: "amount", dtype: "float64" }],
  rows: [[10.5], [null]],
  index: ["<b>Rent</b>", "a|b"],
  index_names: ["category"],
  total_rows: 13,
  total_columns: 1,
};

/** A conversation with all that a thread can have. */
export const everything: readonly ThreadEvent[] = [
  { type: "data", data },
  message("m1", "What are the **top 5**?\n# not a heading\n```"),
  started("m1"),
  { type: "status", text: "Working" },
  { type: "token", text: "Let me " },
  { type: "token", text: "look." },
  call("c1", "execute_python", { code: "print('hi')\ndf.groupby('category').amount.sum()" }),
  { type: "output", call_id: "c1", stream: "stdout", text: "h" },
  { type: "output", call_id: "c1", stream: "stdout", text: "i\n" },
  { type: "output", call_id: "c1", stream: "stderr", text: "careful\n" },
  { type: "result", call_id: "c1", is_main: false, text: "<Figure>", image },
  { type: "result", call_id: "c1", is_main: true, text: "category\nRent 10.5", html: "<i>x</i>", table },
  {
    type: "artifact",
    call_id: "c1",
    path: "/session/artifacts/图.png",
    size_bytes: 1,
    hash,
    mime: "image/png",
    change: "new",
  },
  ran("c1", "print('hi')\ndf.groupby('category').amount.sum()", { output: "hi\n" }),
  {
    type: "tool_result",
    call_id: "c1",
    tool: "execute_python",
    output: "hi",
    is_error: false,
    duration_ms: 4,
  },
  call("c2", "execute_shell", { command: "ls ```" }),
  { type: "approval", approval_id: "a1", call_id: "c2", tool: "execute_shell", input: {} },
  message("m2", "And the second question?"),
  message("m3", "Never mind"),
  { type: "message_removed", message_id: "m3" },
  { type: "approval_decided", approval_id: "a1", call_id: "c2", decision: "allow", reason: "fine" },
  { type: "output", call_id: "c2", stream: "stdout", text: "a ```` b\n" },
  ran("c2", "ls ```", { language: "shell", status: "error", exit_code: 2, truncated: true }),
  call("c3", "file_read", { file: "/data/x" }),
  { type: "tool_result", call_id: "c3", tool: "file_read", output: "text", is_error: false, duration_ms: 1 },
  { ...message("m4", "Only Chicago, please"), mode: "steer" } as ThreadEvent,
  { type: "steered", message_id: "m4" },
  call("c4", "execute_python", { code: "1/0" }),
  ran("c4", "1/0", {
    status: "error",
    exit_code: 1,
    output: "ZeroDivisionError",
    error: {
      name: "ZeroDivisionError",
      value: "division by zero",
      traceback: "Traceback\n  line 1\nZeroDivisionError",
    },
  }),
  { type: "token", text: "Rent is first." },
  done("m1"),
  started("m2"),
  call("c5", "execute_python", { code: "while True: pass" }),
  ran("c5", "while True: pass", { status: "killed", exit_code: 137, notices: ["Stopped."] }),
  done("m2", "stopped"),
  message("m5", "Again?"),
  started("m5"),
  { type: "error", code: "model_auth", message: "The key was refused.", hint: "Set OPENAI_API_KEY." },
  done("m5", "failed"),
  message("m6", "And now?"),
  started("m6"),
  call("c6", "execute_python", { code: "x = 1" }),
  done("m6", "interrupted"),
  { ...message("m8", "own = 1"), kind: "code", language: "python" } as ThreadEvent,
  started("m8"),
  call("c8", "execute_python", { code: "own = 1" }),
  ran("c8", "own = 1"),
  done("m8"),
  message("m7", "Waiting still"),
  { ...message("m9", "ls own"), kind: "code", language: "shell" } as ThreadEvent,
];
