import type { CallOptions } from "../contract/call.ts";
import type {
  Command,
  CommandChunk,
  CommandExit,
  CommandInfo,
  CommandResult,
  CommandRunOptions,
  Commands,
  SpawnOptions,
} from "../contract/commands.ts";
import { checkDuration, checkPath, checkPtySize, checkRange, checkStrings, invalid } from "./arguments.ts";
import { type GuestNotice, readNotices } from "./notices.ts";
import { type Guest, withTimeout } from "./wire/guest.ts";
import { streamEvents } from "./wire/events.ts";
import { TextCollector } from "./text.ts";

type CommandLine = string | readonly string[];
type RunReply = Pick<
  CommandResult,
  "commandId" | "status" | "exitCode" | "signal" | "truncated" | "durationMs"
> & { readonly notices: readonly GuestNotice[] };

const missingProgramBytes = 65_536;

export function createCommands(guest: Guest): Commands {
  return {
    run: (command, options) => run(guest, command, options),
    async spawn(command, options = {}) {
      const params = {
        ...commonParams(guest, command, options),
        stdin: options.stdin ?? false,
        pty: options.pty && checkPtySize(options.pty),
        keepsAwake: options.keepsAwake ?? true,
      };
      const timeoutMs =
        options.timeoutMs === undefined ? undefined : checkDuration("timeoutMs", options.timeoutMs);
      const { result } = await guest.call<CommandInfo>(
        "commands.spawn",
        { ...params, timeoutMs },
        { signal: options.signal },
      );
      return createCommand(guest, result);
    },
    async list(options) {
      return (await guest.call<CommandInfo[]>("commands.list", {}, withTimeout(options))).result;
    },
    async get(commandId, options) {
      return createCommand(
        guest,
        (await guest.call<CommandInfo>("commands.get", { commandId }, withTimeout(options))).result,
      );
    },
  };
}

async function run(
  guest: Guest,
  command: CommandLine,
  options: CommandRunOptions = {},
): Promise<CommandResult> {
  const timeoutMs = checkDuration("timeoutMs", options.timeoutMs ?? guest.limits.timeoutMs);
  const params = { ...commonParams(guest, command, options), timeoutMs, stdin: options.stdin !== undefined };
  // What a missing program is told with has no limit of its own.
  const maxBytes = params.maxOutputBytes + missingProgramBytes;
  const stdout = new TextCollector(maxBytes, options.onStdout);
  const stderr = new TextCollector(maxBytes, options.onStderr);
  const { result } = await guest.call<RunReply>("commands.run", params, {
    ...(options.stdin === undefined ? {} : { body: Buffer.from(options.stdin) }),
    signal: options.signal,
    timeoutMs,
    awaitsAbort: true,
    onEvent({ name, body }) {
      if (name === "stdout") stdout.push(body);
      else if (name === "stderr") stderr.push(body);
    },
  });
  const [out, err] = [stdout.finish(), stderr.finish()];
  return {
    ...result,
    ...readNotices(result.notices),
    stdout: out.text,
    stderr: err.text,
    stdoutBytes: out.bytes,
    stderrBytes: err.bytes,
  };
}

function commonParams(guest: Guest, command: CommandLine, options: CommandRunOptions | SpawnOptions) {
  if (typeof command !== "string" && (!Array.isArray(command) || command.length === 0)) {
    throw invalid("command must be a string for the shell, or a list with a program and its arguments");
  }
  const words = typeof command === "string" ? [command] : command;
  if (words.some((word) => typeof word !== "string" || word.includes("\0")) || words[0] === "") {
    throw invalid("command must be made of strings without NUL, and not empty");
  }
  return {
    command,
    cwd: options.cwd === undefined ? undefined : checkPath("cwd", options.cwd),
    env: checkStrings("env", options.env),
    maxOutputBytes: checkRange("maxOutputBytes", options.maxOutputBytes ?? guest.limits.outputBytes, 0),
  };
}

function createCommand(guest: Guest, { commandId, pid }: CommandInfo): Command {
  const ask = async <Result>(
    method: string,
    params: Record<string, unknown>,
    options?: CallOptions,
    body?: Uint8Array,
  ) => guest.call<Result>(method, { commandId, ...params }, { ...withTimeout(options), body });
  return {
    commandId,
    pid,
    async write(data, options) {
      await ask("commands.write", {}, options, Buffer.from(data));
    },
    async closeStdin(options) {
      await ask("commands.close", {}, options);
    },
    async signal(name, options) {
      await ask("commands.signal", { signal: name }, options);
    },
    async kill(options) {
      await ask("commands.signal", { signal: "SIGKILL" }, options);
    },
    async resize(size, options) {
      await ask("commands.resize", checkPtySize(size), options);
    },
    async output({ stdoutOffset = 0, stderrOffset = 0, ...options } = {}) {
      checkRange("stdoutOffset", stdoutOffset, 0);
      checkRange("stderrOffset", stderrOffset, 0);
      type Places = { stdoutOffset: number; stdoutBytes: number; stderrOffset: number; isRunning: boolean };
      const { result, body } = await ask<Places>("commands.output", { stdoutOffset, stderrOffset }, options);
      const [out, err] = [body.subarray(0, result.stdoutBytes), body.subarray(result.stdoutBytes)];
      return {
        stdout: { offset: result.stdoutOffset, bytes: out, text: Buffer.from(out).toString("utf8") },
        stderr: { offset: result.stderrOffset, bytes: err, text: Buffer.from(err).toString("utf8") },
        isRunning: result.isRunning,
      };
    },
    follow({ stdoutOffset = 0, stderrOffset = 0, signal } = {}) {
      const params = { commandId, stdoutOffset, stderrOffset };
      return streamEvents(guest, "commands.follow", params, signal, ({ name, data, body }) =>
        toChunk(name, data["offset"], body),
      );
    },
    async wait(options = {}) {
      return (await guest.call<CommandExit>("commands.wait", { commandId }, options)).result;
    },
  };
}

function toChunk(name: string, offset: unknown, bytes: Uint8Array): CommandChunk | undefined {
  if ((name !== "stdout" && name !== "stderr") || typeof offset !== "number") return undefined;
  return { stream: name, offset, bytes };
}
