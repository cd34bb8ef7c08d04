import {
  amount,
  quantity,
  either,
  fields,
  flag,
  list,
  nothing,
  oneOf,
  optional,
  record,
  row,
  type Shape,
  text,
  whole,
} from "./shapes.ts";

/** Why what a guest replied to this call is no such reply; undefined when it is one. */
export function findFaultInReply(method: string, result: unknown): string | undefined {
  return replies.get(method)?.(result, method);
}

/** The same for what comes with an event. */
export function findFaultInEvent(name: string, data: unknown): string | undefined {
  return (events.get(name) ?? anyFields)(data, name);
}

const path = text(65_536);
const line = text(20_000);
const long = text(200_000);
const anyText = text(Number.MAX_SAFE_INTEGER);
const exitCode = whole(-(2 ** 32), 2 ** 32);
const mode = whole(0, 0o7777);
const handle = fields({ handle: amount });
const root = oneOf("workspace", "session", "outputs", "work");
const anyFields = fields({});

const stat = fields({
  path,
  name: path,
  kind: oneOf("file", "folder", "symlink", "other"),
  sizeBytes: amount,
  mode,
  modifiedAt: text(100),
  linkTarget: optional(path),
  problem: optional(line),
});
const status = oneOf("ok", "error", "timeout", "killed");
const ending = { status, exitCode, signal: optional(line), durationMs: quantity };
const cut = fields({ stdout: flag, stderr: flag });
const command = fields({
  commandId: line,
  pid: amount,
  command: either(anyText, list(anyText)),
  isRunning: flag,
  keepsAwake: flag,
  exitCode: optional(exitCode),
  startedAt: text(100),
});
const context = fields({ name: line, isBusy: flag, executionCount: amount });
const lost = list(fields({ name: line, type: line, reason: line }));
const state = fields({ state: oneOf("running", "paused", "dead") });
const error = fields({ name: line, value: long, traceback: long });
const artifact = fields({
  path,
  sizeBytes: amount,
  hash: text(64),
  mime: line,
  change: oneOf("new", "changed"),
});
/** A guest of an earlier version sends the sentence itself. */
const notice = either(line, fields({ code: text(100), values: record(either(line, quantity), 10) }));
const consumption = { cpuMs: quantity, memoryBytes: quantity, diskBytes: quantity };

const replies = new Map<string, Shape>(
  Object.entries({
    hello: state,
    state,
    metrics: fields({
      ...consumption,
      memoryLimitBytes: quantity,
      processes: quantity,
      diskLimitBytes: quantity,
      uptimeMs: quantity,
    }),
    "env.get": record(anyText),
    "processes.list": list(
      fields({
        pid: amount,
        parentPid: amount,
        name: line,
        commandLine: line,
        state: line,
        residentBytes: quantity,
        cpuMs: quantity,
      }),
    ),
    "ports.list": list(whole(0, 65_535)),
    "commands.run": fields({ ...ending, commandId: line, truncated: cut, notices: list(notice) }),
    "commands.spawn": command,
    "commands.get": command,
    "commands.list": list(command),
    "commands.wait": fields(ending),
    "commands.output": fields({
      stdoutOffset: amount,
      stdoutBytes: amount,
      stderrOffset: amount,
      isRunning: flag,
    }),
    "files.stat": stat,
    "files.list": list(stat),
    "files.open": fields({ stat, end: amount, handle: optional(amount) }),
    "files.create": either(stat, handle),
    "files.commit": stat,
    "files.glob": list(path),
    "files.grep": fields({
      matches: list(fields({ path, line: amount, text: line, before: list(line), after: list(line) })),
      truncated: flag,
    }),
    "trees.scan": fields({
      fingerprint: line,
      entries: either(
        nothing,
        list(
          row(
            root,
            path,
            oneOf("file", "folder", "symlink"),
            mode,
            amount,
            whole(-(2 ** 53) + 1, 2 ** 53 - 1),
            line,
            either(nothing, path),
          ),
        ),
      ),
      skipped: list(row(root, path, line)),
    }),
    "trees.pack": list(whole(-1, Number.MAX_SAFE_INTEGER)),
    "trees.unpack": list(row(amount, long)),
    "python.run": fields({
      ...ending,
      truncated: fields({ stdout: flag, stderr: flag, results: flag }),
      error: optional(error),
      kernelRestarted: flag,
      notices: list(notice),
      artifacts: list(artifact),
    }),
    "python.contexts": list(context),
    "python.create": context,
    "python.csv": fields({ rows: amount }),
    "python.forget": fields({ isForgotten: flag }),
    "python.snapshot": fields({ path, sizeBytes: amount, saved: list(line), lost, durationMs: quantity }),
    "python.restore": fields({ restored: list(line), lost, durationMs: quantity }),
    // Of an interpreter in WebAssembly, to the part of its guest that is in this process.
    facts: fields(consumption),
    interrupt: flag,
    kernel: either(
      nothing,
      fields({
        count: optional(whole(0, 2 ** 31)),
        exitCode: optional(exitCode),
        error: optional(either(error, fields({ code: line, message: line }))),
        reply: optional(
          fields({
            rows: optional(amount),
            isForgotten: optional(flag),
            saved: optional(list(line)),
            restored: optional(list(line)),
            lost: optional(lost),
            sizeBytes: optional(amount),
          }),
        ),
      }),
    ),
  }),
);

const events = new Map<string, Shape>(
  Object.entries({
    change: fields({ kind: oneOf("created", "changed", "removed"), path }),
    connection: fields({ id: amount }),
    stdout: fields({ offset: optional(amount) }),
    stderr: fields({ offset: optional(amount) }),
    value: fields({ name: line }),
    violation: fields({ name: line }),
  }),
);
