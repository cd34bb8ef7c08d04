import type { Notice } from "@atoll/protocol";
import type { CallOptions } from "./call.ts";
import type { RunStatus } from "./python.ts";

export interface Commands {
  /** Runs to the end. A string goes through `/bin/bash -c`, a list is executed as it is. */
  run(command: string | readonly string[], options?: CommandRunOptions): Promise<CommandResult>;
  /** Starts in the background. It outlives this connection; `get` finds it again. */
  spawn(command: string | readonly string[], options?: SpawnOptions): Promise<Command>;
  list(options?: CallOptions): Promise<readonly CommandInfo[]>;
  get(commandId: string, options?: CallOptions): Promise<Command>;
}

interface CommandOptions {
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** Of stdout and stderr, each. `run` gives the first bytes, a spawned command keeps the last. */
  maxOutputBytes?: number;
}

export interface CommandRunOptions extends CommandOptions, CallOptions {
  stdin?: string | Uint8Array;
  onStdout?: (text: string) => void;
  onStderr?: (text: string) => void;
}

export interface SpawnOptions extends CommandOptions {
  /** Keeps stdin open for `write`. Default: closed. */
  stdin?: boolean;
  /** A terminal instead of pipes: stdout and stderr come as one. */
  pty?: { cols: number; rows: number };
  /** False for one that waits for a user, as a shell does: the sandbox may rest while it runs, and ends it. */
  keepsAwake?: boolean;
  /** Ends the command after this time. Default: it may run as long as the sandbox. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface CommandResult {
  readonly commandId: string;
  readonly status: RunStatus;
  /** 128 + signal number when a signal ended it. */
  readonly exitCode: number;
  readonly signal?: string;
  readonly stdout: string;
  readonly stderr: string;
  /** The same output as bytes, for what is not UTF-8. */
  readonly stdoutBytes: Uint8Array;
  readonly stderrBytes: Uint8Array;
  readonly truncated: { readonly stdout: boolean; readonly stderr: boolean };
  readonly durationMs: number;
  readonly notices: readonly string[];
  /** The same as codes with values, to be said in another language. Absent when there are none. */
  readonly codedNotices?: readonly Notice[];
}

export interface CommandInfo {
  readonly commandId: string;
  readonly pid: number;
  readonly command: string | readonly string[];
  readonly isRunning: boolean;
  /** See `SpawnOptions`. */
  readonly keepsAwake: boolean;
  readonly exitCode?: number;
  readonly startedAt: string;
}

export interface Command {
  readonly commandId: string;
  readonly pid: number;
  write(data: string | Uint8Array, options?: CallOptions): Promise<void>;
  closeStdin(options?: CallOptions): Promise<void>;
  /** To the command and everything it started, e.g. `SIGINT`. */
  signal(name: string, options?: CallOptions): Promise<void>;
  /** SIGKILL to the command and everything it started. */
  kill(options?: CallOptions): Promise<void>;
  resize(size: { cols: number; rows: number }, options?: CallOptions): Promise<void>;
  /** What it wrote from these offsets on. Only the last `maxOutputBytes` are kept; `offset` says where the bytes start. */
  output(options?: { stdoutOffset?: number; stderrOffset?: number } & CallOptions): Promise<CommandOutput>;
  /** Output as it appears, from the given offsets on, until the command has ended. */
  follow(options?: {
    stdoutOffset?: number;
    stderrOffset?: number;
    signal?: AbortSignal;
  }): AsyncIterable<CommandChunk>;
  wait(options?: CallOptions): Promise<CommandExit>;
}

export interface CommandChunk {
  readonly stream: "stdout" | "stderr";
  readonly offset: number;
  readonly bytes: Uint8Array;
}

export interface CommandOutput {
  readonly stdout: { readonly offset: number; readonly bytes: Uint8Array; readonly text: string };
  readonly stderr: { readonly offset: number; readonly bytes: Uint8Array; readonly text: string };
  readonly isRunning: boolean;
}

export interface CommandExit {
  readonly status: RunStatus;
  readonly exitCode: number;
  readonly signal?: string;
  readonly durationMs: number;
}
