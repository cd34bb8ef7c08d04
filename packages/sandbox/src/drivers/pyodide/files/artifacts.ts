import { guessMime } from "@atoll/std";
import type { Artifact } from "../../../contract/python.ts";
import type { SandboxPaths } from "../../../contract/sandbox.ts";
import type { FileStore } from "./file-store.ts";
import type { RootName } from "../inside/kept-files.ts";

const toolFolders = new Set(["__pycache__", "node_modules", "site-packages"]);

/** Where the roots are inside. */
export function placeOf(paths: SandboxPaths, root: RootName, path: string): string {
  return `${root === "work" ? "/work" : paths[root]}/${path}`;
}

/** The files whose content a run made or changed; the same rule as `supervisor/kernels/artifacts.py`. */
export function findArtifacts(store: FileStore, paths: SandboxPaths): Artifact[] {
  const own = [paths.artifacts, paths.outputs, `${paths.workspace}/outputs`, "/work"];
  const found = store.stopNoting().flatMap(({ root, path, before, now }): Artifact[] => {
    const place = placeOf(paths, root, path);
    if (now?.kind !== "file" || now.hash === undefined || now.hash === before?.hash) return [];
    if (!own.some((folder) => place.startsWith(`${folder}/`)) && isHidden(path)) return [];
    const change = before?.kind === "file" ? "changed" : "new";
    const mime = guessMime(path) ?? "application/octet-stream";
    return [{ path: place, sizeBytes: now.size, hash: now.hash, mime, change }];
  });
  return found.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** Files of tools and hidden ones are nobody's result. */
function isHidden(path: string): boolean {
  return path.split("/").some((segment) => segment.startsWith(".") || toolFolders.has(segment));
}
