import { AtollError, type FileStat, type Sandbox } from "@atoll/sandbox";
import type { FileInfo, GlobResult } from "deepagents";

const ASKED_AT_ONCE = 50;

/** Folders end in a slash. */
export function asInfo({ path, kind, sizeBytes, modifiedAt }: FileStat): FileInfo {
  const isFolder = kind === "folder";
  return { path: isFolder ? `${path}/` : path, is_dir: isFolder, size: sizeBytes, modified_at: modifiedAt };
}

/** What is gone by now is left out. */
export async function describePaths({ files }: Sandbox, paths: readonly string[]): Promise<GlobResult> {
  const found: FileInfo[] = [];
  for (let at = 0; at < paths.length; at += ASKED_AT_ONCE) {
    const asked = paths.slice(at, at + ASKED_AT_ONCE).map((path) =>
      files.stat(path).catch((error: unknown) => {
        if (error instanceof AtollError && error.code === "not_found") return undefined;
        throw error;
      }),
    );
    found.push(...(await Promise.all(asked)).flatMap((facts) => (facts ? [asInfo(facts)] : [])));
  }
  return { files: found };
}
