import type { Limits } from "../../contract/limits.ts";
import { MIN_OPEN_FILES } from "@atoll/protocol";
import type { SandboxHandle } from "../../contract/sandbox.ts";
import { AtollError } from "../../errors.ts";
import { invalid } from "../../guest/arguments.ts";

const MiB = 1024 * 1024;
const dataRoot = "/data";

/** What the environment says of the heavy sandbox: `CPYTHON_FSIZE_MB`, `CPYTHON_NOFILE`, `CPYTHON_AS_MB`, `CPYTHON_TIMEOUT_S`. */
export function cpythonLimits(env = process.env): Partial<Limits> {
  const memoryMiB = wholeNumber(env, "CPYTHON_AS_MB", 0, 0);
  const timeoutS = wholeNumber(env, "CPYTHON_TIMEOUT_S", 0, 0);
  return {
    fileSizeBytes: wholeNumber(env, "CPYTHON_FSIZE_MB", 50, 1) * MiB,
    openFiles: wholeNumber(env, "CPYTHON_NOFILE", 64, MIN_OPEN_FILES),
    ...(memoryMiB > 0 && { memoryBytes: memoryMiB * MiB }),
    ...(timeoutS > 0 && { timeoutMs: timeoutS * 1000 }),
  };
}

/** `CPYTHON_DATA_ROOT`: the data sets are at `/data` in every sandbox; elsewhere a link leads there. */
export async function linkDataRoot(heavy: SandboxHandle, env = process.env): Promise<void> {
  const root = env["CPYTHON_DATA_ROOT"]?.replace(/(?<!\/)\/+$/, "") || dataRoot;
  if (root === dataRoot) return;
  const { workspace, session } = heavy.info.paths;
  if (![workspace, session, "/tmp"].some((folder) => root.startsWith(`${folder}/`)))
    throw invalid(`CPYTHON_DATA_ROOT must be ${dataRoot}, or below ${workspace}, ${session} or /tmp`);
  const script = 'mkdir -p "$(dirname "$1")" && ln -sfn "$2" "$1"';
  const { status, stderr } = await heavy.commands.run(["/bin/sh", "-c", script, "link", root, dataRoot]);
  if (status !== "ok")
    throw new AtollError("invalid_argument", `CPYTHON_DATA_ROOT cannot be made: ${stderr.trim()}`);
}

function wholeNumber(env: NodeJS.ProcessEnv, name: string, otherwise: number, least: number): number {
  const value = env[name] ? Number(env[name]) : otherwise;
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw invalid(`${name} must be a whole number from ${least} on, not ${env[name]}`);
}
