import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

/** Where programs of the system are; set-up as root on Debian puts some where a user's PATH does not lead. */
const searchPath = `${process.env["PATH"] ?? ""}:/usr/local/sbin:/usr/sbin:/sbin`;

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onLine?: ((line: string) => void) | undefined;
}

/** Gives what the program printed, or undefined when it failed: for questions with yes or no. */
export async function ask(
  program: string,
  args: readonly string[],
  env = process.env,
): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(program, args, { env: { ...env, PATH: searchPath } });
    return stdout.trim();
  } catch {
    return undefined;
  }
}

/** Runs to the end, line by line; a failure is an error with the last lines. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<void> {
  const child = spawn(program, args, {
    env: { ...(options.env ?? process.env), PATH: searchPath },
    stdio: ["ignore", "pipe", "pipe"],
    ...(options.signal && { signal: options.signal }),
  });
  const last: string[] = [];
  const watch = async (stream: NodeJS.ReadableStream) => {
    for await (const line of createInterface({ input: stream })) {
      last.push(line);
      if (last.length > 15) last.shift();
      options.onLine?.(line);
    }
  };
  const [[code]] = (await Promise.all([once(child, "close"), watch(child.stdout), watch(child.stderr)])) as [
    [number | null],
    void,
    void,
  ];
  if (code !== 0) throw new Error(`${program} ${args[0] ?? ""} ended with ${code}:\n${last.join("\n")}`);
}
