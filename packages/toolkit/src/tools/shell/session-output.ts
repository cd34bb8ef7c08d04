import type { Command } from "@atoll/sandbox";
import type { ToolContext } from "../../tool.ts";
import { toPlainText } from "@atoll/std/terminal-text";

/** How far the output of a command has been read, of its two streams. */
export interface Position {
  readonly stdout: number;
  readonly stderr: number;
}

export const beginning: Position = { stdout: 0, stderr: 0 };

export function parsePosition(text: string): Position | undefined {
  const [, stdout, stderr = "0"] = /^(\d{1,15})(?:\+(\d{1,15}))?$/.exec(text) ?? [];
  return stdout === undefined ? undefined : { stdout: Number(stdout), stderr: Number(stderr) };
}

export function writePosition({ stdout, stderr }: Position): string {
  return stderr === 0 ? String(stdout) : `${stdout}+${stderr}`;
}

/** What is there of it now. */
export async function readOutput(command: Command, from: Position, { signal }: Pick<ToolContext, "signal">) {
  const { stdout, stderr, isRunning } = await command.output({
    stdoutOffset: from.stdout,
    stderrOffset: from.stderr,
    signal,
  });
  const end = {
    stdout: stdout.offset + stdout.bytes.length,
    stderr: stderr.offset + stderr.bytes.length,
  };
  const text = [toPlainText(stdout.text), stderr.text]
    .map((part) => part.trimEnd())
    .filter(Boolean)
    .join("\n");
  return { text, end, isRunning, isCut: stdout.offset > from.stdout || stderr.offset > from.stderr };
}

/**
 * Comes back when the command has ended, when `until` has appeared, when it has been quiet for `quietMs` after its last
 * output, or when the time is up.
 */
export async function awaitOutput(
  command: Command,
  from: Position,
  { maxMs, quietMs, until }: { maxMs: number; quietMs?: number | undefined; until?: string | undefined },
  { signal }: Pick<ToolContext, "signal">,
): Promise<void> {
  const over = new AbortController();
  const longest = setTimeout(() => over.abort(), maxMs);
  const watch = until === undefined ? new Quiet(quietMs, over) : new Appearance(until, over);
  try {
    const stop = AbortSignal.any([signal, over.signal]);
    const places = { stdoutOffset: from.stdout, stderrOffset: from.stderr };
    for await (const chunk of command.follow({ ...places, signal: stop })) watch.take(chunk.bytes);
  } finally {
    clearTimeout(longest);
    watch.end();
  }
}

/** Aborts when nothing has come for a while. */
class Quiet {
  #timer: NodeJS.Timeout | undefined;
  readonly #quietMs: number | undefined;
  readonly #over: AbortController;

  constructor(quietMs: number | undefined, over: AbortController) {
    this.#quietMs = quietMs;
    this.#over = over;
  }

  take(): void {
    if (this.#quietMs === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#over.abort(), this.#quietMs);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** Aborts when a text has appeared. It looks a few times a second, however much comes. */
class Appearance {
  static readonly #lookEveryMs = 50;
  static readonly #keptChars = 100_000;
  readonly #decoder = new TextDecoder();
  readonly #until: string;
  readonly #over: AbortController;
  #seen = "";
  #timer: NodeJS.Timeout | undefined;

  constructor(until: string, over: AbortController) {
    this.#until = until;
    this.#over = over;
  }

  take(bytes: Uint8Array): void {
    this.#seen = (this.#seen + this.#decoder.decode(bytes, { stream: true })).slice(-Appearance.#keptChars);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (toPlainText(this.#seen).includes(this.#until)) this.#over.abort();
    }, Appearance.#lookEveryMs);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
