import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import type { Artifact } from "../contract/python.ts";
import { AtollError } from "../errors.ts";
import { readChunks } from "./file-reading.ts";
import type { Guest } from "./wire/guest.ts";

const maxRunBytes = 64 * 1024 * 1024;
const keptRuns = 8;
const copyTimeoutMs = 10_000;
/** Of the host's disk, for a file of any size: one without content takes some too. */
const leastBytes = 4096;

/**
 * Copies what a run made to the host, through the guest, and says where it is there. Nothing inside can change a copy
 * or make it a link. What is too large, changes meanwhile or takes too long has none: `readArtifact` reads it.
 */
export async function copyArtifacts(
  guest: Guest,
  runId: string,
  artifacts: readonly Artifact[],
  signal: AbortSignal | undefined,
): Promise<Artifact[]> {
  const folder = join(guest.copies, runId);
  const until = AbortSignal.any([AbortSignal.timeout(copyTimeoutMs), ...(signal ? [signal] : [])]);
  const located: Artifact[] = [];
  // All copies together take no more of the host than the sandbox itself may.
  let room = Math.min(maxRunBytes, Math.floor(guest.limits.diskBytes / keptRuns));
  for (const artifact of artifacts) {
    const hostPath = join(folder, posix.normalize(`/${artifact.path}`));
    const cost = Math.max(artifact.sizeBytes, leastBytes);
    const isCopied = cost <= room && (await copy(guest, artifact, hostPath, until).catch(() => false));
    if (isCopied) room -= cost;
    located.push(isCopied ? { ...artifact, hostPath } : artifact);
  }
  await forgetOldest(guest.copies);
  return located;
}

/** False, and nothing is left, when its content is not what the run had made. */
async function copy(
  guest: Guest,
  { path, sizeBytes: maxBytes, hash }: Artifact,
  target: string,
  signal: AbortSignal,
): Promise<boolean> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const digest = createHash("sha256");
  let left = maxBytes;
  try {
    await using file: FileHandle = await open(target, "wx", 0o600);
    for await (const chunk of readChunks(guest, path, { maxBytes, signal })) {
      left -= chunk.length;
      if (left < 0) throw new AtollError("too_large", `${path} has more than its ${maxBytes} bytes`);
      digest.update(chunk);
      await file.writeFile(chunk);
    }
    if (digest.digest("hex") === hash) return true;
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  }
  await rm(target, { force: true });
  return false;
}

async function forgetOldest(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  if (names.length <= keptRuns) return;
  const runs = await Promise.all(
    names.map(async (name) => {
      const facts = await stat(join(folder, name)).catch(() => undefined);
      return { name, madeMs: facts?.mtimeMs ?? 0 };
    }),
  );
  const oldest = runs.toSorted((a, b) => b.madeMs - a.madeMs).slice(keptRuns);
  for (const { name } of oldest) await rm(join(folder, name), { recursive: true, force: true });
}
