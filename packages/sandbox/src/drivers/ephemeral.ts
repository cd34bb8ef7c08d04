import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Artifact, PythonRunOptions, RunResult } from "../contract/python.ts";
import type { Capabilities, Sandbox, SandboxHandle, SandboxInfo } from "../contract/sandbox.ts";
import { AtollError } from "../errors.ts";
import { isolatedPaths } from "./inside.ts";
import type { SandboxSpec } from "./options.ts";

const artifactsFolder = "/work/artifacts";

type CreateOne = (spec: SandboxSpec) => Promise<SandboxHandle>;

/**
 * A handle without a sandbox: each run gets a fresh one, which is gone when the run is over. What a run leaves in
 * `/work/artifacts` is kept on the host under `outputs/<run_id>/`.
 */
export function createEphemeral(
  spec: SandboxSpec,
  driver: string,
  able: Capabilities,
  createOne: CreateOne,
): SandboxHandle {
  const capabilities: Capabilities = {
    ...able,
    pty: false,
    pause: false,
    snapshot: false,
    ports: false,
    attach: false,
  };
  const info: SandboxInfo = {
    id: spec.id,
    driver,
    mode: "ephemeral",
    createdAt: new Date().toISOString(),
    limits: spec.limits,
    capabilities,
    paths: { ...isolatedPaths, artifacts: artifactsFolder },
    labels: spec.labels,
    network: spec.network,
  };
  let isDestroyed = false;
  const withFresh = async <Result>(
    use: (sandbox: SandboxHandle, runId: string) => Promise<Result>,
  ): Promise<Result> => {
    if (isDestroyed) throw new AtollError("sandbox_dead", "this ephemeral sandbox was destroyed");
    const runId = `run-${randomUUID()}`;
    await using sandbox = await createOne({ ...spec, id: runId, isNamed: false });
    return await use(sandbox, runId);
  };
  const usable: Sandbox = {
    id: spec.id,
    info,
    python: {
      ...refuseAll(["createContext", "contexts", "restart", "removeContext", "interrupt"]),
      ...refuseAll(["table", "tableCsv", "variables", "removeVariable"]),
      run: (code: string, options?: PythonRunOptions) =>
        withFresh(async (sandbox, runId) => {
          const result = await sandbox.python.run(code, options);
          return promote(sandbox, { ...result, runId }, join(spec.dataDir, "outputs", runId));
        }),
    },
    commands: {
      ...refuseAll(["spawn", "list", "get"]),
      run: (command, options) => withFresh((sandbox) => sandbox.commands.run(command, options)),
    },
    files: {
      ...refuseAll([
        "read",
        "readText",
        "write",
        "list",
        "stat",
        "exists",
        "mkdir",
        "move",
        "remove",
        "glob",
        "grep",
      ]),
      readStream: () => new ReadableStream({ pull: refuse("readStream") }),
      watch: () => ({ [Symbol.asyncIterator]: () => ({ next: refuse("watch") }) }),
    },
    ports: refuseAll(["list", "connect", "url"]),
    env: refuseAll(["get", "set", "list"]),
    processes: refuseAll(["list", "kill"]),
    metrics: refuse("metrics"),
  };
  const end = async () => {
    isDestroyed = true;
  };
  return {
    ...usable,
    state: async () => (isDestroyed ? "dead" : "running"),
    pause: refuse("pause"),
    resume: refuse("resume"),
    snapshot: refuse("snapshot"),
    restore: refuse("restore"),
    fork: refuse("fork"),
    setNetwork: refuse("setNetwork"),
    trees: refuseAll(["scan", "pack", "unpack"]),
    destroy: end,
    detach: end,
    restricted: () => usable,
    [Symbol.asyncDispose]: end,
  };
}

/** Reads through the guest, as always: a link made inside must not lead a host process astray. */
async function promote(sandbox: SandboxHandle, result: RunResult, folder: string): Promise<RunResult> {
  const artifactMap: Record<string, string> = {};
  const artifacts: Artifact[] = [];
  for (const { hostPath: _, ...artifact } of result.artifacts) {
    const inner = posix.relative(artifactsFolder, posix.normalize(artifact.path));
    if (inner.startsWith("..") || posix.isAbsolute(inner)) {
      artifacts.push(artifact);
      continue;
    }
    const hostPath = join(folder, inner);
    await mkdir(dirname(hostPath), { recursive: true });
    await pipeline(
      Readable.fromWeb(sandbox.files.readStream(artifact.path) as never),
      createWriteStream(hostPath),
    );
    artifactMap[artifact.path] = hostPath;
    artifacts.push({ ...artifact, hostPath });
  }
  return { ...result, artifacts, artifactMap };
}

function refuseAll<Name extends string>(names: readonly Name[]): Record<Name, () => Promise<never>> {
  return Object.fromEntries(names.map((name) => [name, refuse(name)])) as Record<Name, () => Promise<never>>;
}

function refuse(name: string): () => Promise<never> {
  return async () => {
    throw new AtollError(
      "not_supported",
      `${name} needs a sandbox that lasts: create it with mode: "pinned"`,
    );
  };
}
