import { makeNotice, type Notice } from "@atoll/protocol";
import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Artifact, PythonRunOptions, RunResult } from "../../contract/python.ts";
import { describeNotices, listNotices } from "../../guest/notices.ts";
import type { Capabilities, Sandbox, SandboxHandle, SandboxInfo } from "../../contract/sandbox.ts";
import { AtollError } from "../../errors.ts";
import { isolatedPaths } from "./inside-env.ts";
import type { SandboxSpec } from "./create-options.ts";

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
          const result = await sandbox.python.run(code, { ...options, copyArtifacts: false });
          const folder = join(spec.dataDir, "outputs", runId);
          return promote(sandbox, { ...result, runId }, folder, spec.limits.diskBytes);
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

/**
 * Reads through the guest, as always: a link made inside must not lead a host process astray. On the host a file takes
 * up all of its length, however little of it is written inside: what goes past the disk limit is left out.
 */
async function promote(
  sandbox: SandboxHandle,
  result: RunResult,
  folder: string,
  maxBytes: number,
): Promise<RunResult> {
  const artifactMap: Record<string, string> = {};
  const artifacts: Artifact[] = [];
  const left: string[] = [];
  let room = maxBytes;
  for (const { hostPath: _, ...artifact } of result.artifacts) {
    const inner = posix.relative(artifactsFolder, posix.normalize(artifact.path));
    if (inner.startsWith("..") || posix.isAbsolute(inner)) {
      artifacts.push(artifact);
      continue;
    }
    const hostPath = join(folder, inner);
    const size =
      artifact.sizeBytes > room ? undefined : await copyOut(sandbox, artifact.path, hostPath, room);
    if (size === undefined) {
      left.push(inner);
      artifacts.push(artifact);
      continue;
    }
    room -= size;
    artifactMap[artifact.path] = hostPath;
    artifacts.push({ ...artifact, hostPath });
  }
  const notices = left.length === 0 ? [] : [describeLeft(left, maxBytes)];
  return {
    ...result,
    artifacts,
    artifactMap,
    ...describeNotices([...listNotices(result), ...notices]),
  };
}

/** How many bytes it was; undefined, and nothing is left of it, where there is no room for it. */
async function copyOut(
  sandbox: SandboxHandle,
  path: string,
  hostPath: string,
  room: number,
): Promise<number | undefined> {
  let size = 0;
  await mkdir(dirname(hostPath), { recursive: true });
  const source = Readable.fromWeb(sandbox.files.readStream(path) as never);
  const count = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > room) return;
      yield chunk;
    }
  };
  await pipeline(source, count, createWriteStream(hostPath, { flags: "wx" }));
  if (size <= room) return size;
  await rm(hostPath, { force: true });
  return undefined;
}

function describeLeft(names: readonly string[], maxBytes: number): Notice {
  const shown = names.slice(0, 5).join(", ") + (names.length > 5 ? ` and ${names.length - 5} more` : "");
  return makeNotice("artifacts_too_large", { bytes: maxBytes, names: shown });
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
