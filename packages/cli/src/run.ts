import { mkdir, open, readFile, rm } from "node:fs/promises";
import { dirname, join, posix, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { AtollError, type CreateOptions, type RunResult, Sandbox } from "@atoll/sandbox";
import { runOptions } from "./options.ts";
import { plain, show } from "./terminal.ts";

/** `atoll run`: output appears as the code makes it; the exit code is the code's own. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, options: runOptions, allowPositionals: true });
  const code = await readCode(values.code, positionals);
  const timeoutMs = values.timeout === undefined ? undefined : toNumber("--timeout", values.timeout) * 1000;
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  await using sandbox = await Sandbox.create(toCreateOptions(values));
  const result = await sandbox.python.run(code, {
    timeoutMs,
    signal: stop.signal,
    copyArtifacts: false,
    onStdout: (text) => show(process.stdout, text),
    onStderr: (text) => show(process.stderr, text),
    onResult: ({ text }) => text !== undefined && show(process.stdout, `${text}\n`),
  });
  if (result.error)
    show(process.stderr, `${result.error.traceback || `${result.error.name}: ${result.error.value}`}\n`);
  for (const notice of result.notices) console.error(`atoll: ${plain(notice)}`);
  const isKept = await keepArtifacts(sandbox, result, values);
  return result.exitCode === 0 && !isKept ? 1 : result.exitCode;
}

async function readCode(code: string | undefined, positionals: string[]): Promise<string> {
  const [file, ...others] = positionals;
  if (others.length > 0)
    throw new AtollError("invalid_argument", `one file at a time; what is ${others.join(" ")}?`);
  if (code !== undefined) return code;
  if (file === undefined || file === "-") return text(process.stdin);
  return readFile(file, "utf8").catch((cause: unknown) => {
    throw new AtollError("not_found", `cannot read ${file}`, { cause });
  });
}

function toCreateOptions(values: { data?: string[]; runtime?: string; memory?: string }): CreateOptions {
  return {
    runtime: values.runtime,
    ...(values.memory === undefined
      ? {}
      : { limits: { memoryBytes: toNumber("--memory", values.memory) * 1024 * 1024 } }),
    datasets: (values.data ?? []).map((path) => resolve(path)),
  };
}

/** The sandbox ends with the run: without `--output`, its files are only named. Returns false if a file was not kept. */
async function keepArtifacts(
  sandbox: Sandbox,
  result: RunResult,
  { output: folder, force = false }: { output?: string; force?: boolean },
): Promise<boolean> {
  let isKept = true;
  for (const { path, sizeBytes } of result.artifacts) {
    if (folder === undefined) {
      console.error(`atoll: ${plain(path)} (${sizeBytes} bytes) is gone with the sandbox; --output keeps it`);
      continue;
    }
    const target = join(folder, posix.basename(path));
    const problem = await keep(sandbox, path, target, force);
    isKept &&= problem === undefined;
    console.error(`atoll: ${plain(path)} ${problem ?? `→ ${plain(target)}`}`);
  }
  return isKept;
}

/** Never replaces a file unless forced, and never follows a link. Returns what is wrong, or undefined. */
async function keep(
  sandbox: Sandbox,
  path: string,
  target: string,
  isForced: boolean,
): Promise<string | undefined> {
  await mkdir(dirname(target), { recursive: true });
  try {
    if (isForced) await rm(target, { force: true });
    const file = await open(target, "wx");
    await pipeline(Readable.fromWeb(sandbox.files.readStream(path) as never), file.createWriteStream());
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return `is not kept: ${plain(target)} is there already; --force replaces it`;
    if (code === "ERR_FS_EISDIR") return `is not kept: ${plain(target)} is a folder`;
    throw error;
  }
}

function toNumber(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new AtollError("invalid_argument", `${name} must be a number above 0, not ${text}`);
  return value;
}
