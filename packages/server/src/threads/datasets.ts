import { existsSync } from "node:fs";
import { basename } from "node:path";
import type { DataProfile } from "@atoll/protocol";
import { AtollError } from "@atoll/sandbox";
import type { UploadRecord, UploadStore } from "../store/contract.ts";

/** The thread's files as the sandbox shows them: name below `/data` → path on the host. */
export async function findDatasets(
  uploads: UploadStore,
  threadId: string,
  bundledDataset: string,
): Promise<Readonly<Record<string, string>>> {
  return nameDatasets(await uploads.ofThread(threadId), uploads, bundledDataset);
}

/** Rejects with `damaged` when one is not what was uploaded: an answer must not be made of it. */
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

/** Whether these are the files that a profile tells of. */
export function isProfileOf(data: DataProfile, datasets: Readonly<Record<string, string>>): boolean {
  const told = new Set([...data.tables, ...data.others].map(({ file }) => file.replace(/^.*\/data\//, "")));
  const names = Object.keys(datasets);
  return names.length === told.size && names.every((name) => told.has(name));
}

/** The sandbox has its own use for `outputs`; names that every object has cannot be keys of one. */
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
