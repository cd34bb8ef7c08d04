import { AtollError, beginStream, type ErrorCode, type FileStat, type Sandbox } from "@atoll/sandbox";
import type { Experimental_SandboxFileStat, Experimental_SandboxSession } from "ai";
import { createSpawn } from "./ai-process.ts";

/** An Atoll sandbox as the AI SDK's, for `experimental_sandbox`. Relative paths are below the workspace. */
export function toAiSandbox(sandbox: Sandbox): Experimental_SandboxSession {
  const { commands, files } = sandbox;
  return {
    description: describe(sandbox),

    async run({ command, workingDirectory, env, abortSignal }) {
      abortSignal?.throwIfAborted();
      const result = await commands.run(command, {
        cwd: workingDirectory,
        env,
        ...over(abortSignal),
      });
      abortSignal?.throwIfAborted();
      const { exitCode, stdout, stderr, notices } = result;
      return { exitCode, stdout, stderr: [stderr, ...notices.map((notice) => `[${notice}]\n`)].join("") };
    },
    spawn: createSpawn(commands),

    readFile: ({ path, abortSignal }) =>
      unlessMissing(beginStream(files.readStream(path, over(abortSignal)))),
    readBinaryFile: ({ path, abortSignal }) => unlessMissing(files.read(path, over(abortSignal))),
    async readTextFile({ path, encoding = "utf-8", startLine, endLine, abortSignal }) {
      const bytes = await unlessMissing(files.read(path, over(abortSignal)));
      return bytes && sliceLines(new TextDecoder(encoding).decode(bytes), startLine, endLine);
    },

    async writeFile({ path, content, abortSignal }) {
      await files.write(path, content, over(abortSignal));
    },
    async writeBinaryFile({ path, content, abortSignal }) {
      await files.write(path, content, over(abortSignal));
    },
    async writeTextFile({ path, content, encoding = "utf-8", abortSignal }) {
      await files.write(path, encode(content, encoding), over(abortSignal));
    },

    async stat({ path, abortSignal }) {
      const facts = await unlessMissing(files.stat(path, over(abortSignal)));
      if (facts?.kind === "symlink") return statTarget(sandbox, path, abortSignal);
      return facts && { type: typeOf(facts.kind), size: facts.sizeBytes };
    },
    async listDirectory({ path, abortSignal }) {
      const entries = await unlessMissing(files.list(path, over(abortSignal)), ["not_found"]);
      return (
        entries && entries.map(({ name, kind }) => ({ name, type: kind === "symlink" ? kind : typeOf(kind) }))
      );
    },
    async deleteFile({ path, abortSignal }) {
      const facts = await unlessMissing(files.stat(path, over(abortSignal)));
      if (facts?.kind === "folder") throw new AtollError("not_a_file", `${path} is a folder`);
      if (facts) await files.remove(path, over(abortSignal));
      return facts !== null;
    },
  };
}

function describe({ info }: Sandbox): string {
  const { paths, network = "none", limits } = info;
  const reach = network === "none" ? "no network" : "network through a proxy";
  return [
    `A Linux sandbox with bash and Python 3, ${reach}.`,
    `Commands start in ${paths.workspace}, where files stay; relative paths are below it.`,
    `Data sets are in ${paths.data}, read-only; results for the user belong in ${paths.artifacts}.`,
    `A command that takes longer than ${Math.round(limits.timeoutMs / 1000)} seconds is stopped.`,
  ].join(" ");
}

/** Only the kernel knows where a chain of links leads. */
async function statTarget(
  { commands }: Sandbox,
  path: string,
  signal: AbortSignal | undefined,
): Promise<Experimental_SandboxFileStat | null> {
  const { exitCode, stdout } = await commands.run(["stat", "-L", "-c", "%f %s", "--", path], over(signal));
  signal?.throwIfAborted();
  if (exitCode !== 0) return null;
  const [mode = "0", size] = stdout.split(" ");
  const format = Number.parseInt(mode, 16) & 0o170000;
  const type = format === 0o040000 ? "directory" : format === 0o100000 ? "file" : "other";
  return { type, size: Number(size) };
}

function typeOf(kind: FileStat["kind"]): Experimental_SandboxFileStat["type"] {
  if (kind === "folder") return "directory";
  return kind === "file" ? "file" : "other";
}

async function unlessMissing<Value>(
  work: Promise<Value>,
  codes: readonly ErrorCode[] = ["not_found", "not_a_folder"],
): Promise<Value | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AtollError && codes.includes(error.code)) return null;
    throw error;
  }
}

function sliceLines(text: string, startLine?: number, endLine?: number): string {
  if (startLine === undefined && endLine === undefined) return text;
  const ending = ["\r\n", "\n", "\r"].find((known) => text.includes(known)) ?? "\n";
  return text
    .split(ending)
    .slice(Math.max(1, startLine ?? 1) - 1, endLine)
    .join(ending);
}

function encode(text: string, encoding: string): Uint8Array {
  const known = encoding.toLowerCase();
  if (!Buffer.isEncoding(known))
    throw new AtollError("invalid_argument", `encoding: cannot write text as "${encoding}"`);
  return Buffer.from(text, known);
}

function over(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal ? { signal } : {};
}
