import { existsSync } from "node:fs";
import { basename } from "node:path";
import type { DataProfile } from "@atoll/protocol";
import { AtollError } from "@atoll/sandbox";
import type { UploadRecord, UploadStore } from "../store/contract.ts";

/** The thread's files: name below `/data` in the sandbox → path on the host. */
export async function findDatasets(
  uploads: UploadStore,
  threadId: string,
  bundledDataset: string,
): Promise<Readonly<Record<string, string>>> {
  return nameDatasets(await uploads.ofThread(threadId), uploads, bundledDataset);
}

/** Rejects with `damaged` when a file is not what was uploaded: no answer may rely on it. */
export async function nameDatasets(
  files: readonly UploadRecord[],
  uploads: Pick<UploadStore, "hostPath" | "verify">,
  bundledDataset: string,
): Promise<Readonly<Record<string, string>>> {
  if (files.length === 0) return { [basename(bundledDataset)]: bundledDataset };
  const datasets = new Map<string, string>();
  for (const file of files) {
    const path = uploads.hostPath(file.fileId);
    if (!existsSync(path)) {
      throw new AtollError("not_found", `The file ${JSON.stringify(file.name)} is no longer on the server.`);
    }
    await uploads.verify(file);
    datasets.set(makeUnique(file.name, datasets), path);
  }
  return Object.fromEntries(datasets);
}

/** Whether a profile describes exactly these files. */
export function isProfileOf(data: DataProfile, datasets: Readonly<Record<string, string>>): boolean {
  const described = new Set(listFiles(data));
  const names = Object.keys(datasets);
  return names.length === described.size && names.every((name) => described.has(name));
}

/** Names of the files that a profile describes, below `/data`. */
export function listFiles({ tables, others }: DataProfile): readonly string[] {
  return [...new Set([...tables, ...others].map(({ file }) => file.replace(/^.*\/data\//, "")))];
}

/** The sandbox uses `outputs` itself; names of properties that every object has cannot be keys. */
function isTaken(name: string, datasets: ReadonlyMap<string, string>): boolean {
  return datasets.has(name) || name === "outputs" || name in Object.prototype;
}

function makeUnique(name: string, datasets: ReadonlyMap<string, string>): string {
  if (!isTaken(name, datasets)) return name;
  const [, stem = name, extension = ""] = /^(.+?)(\.[^.]+)?$/.exec(name) ?? [];
  for (let n = 2; ; n += 1) {
    const candidate = `${stem} (${n})${extension}`;
    if (!isTaken(candidate, datasets)) return candidate;
  }
}
