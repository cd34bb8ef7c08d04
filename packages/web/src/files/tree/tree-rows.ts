import type { FileInfo } from "@atoll/client";

/** A folder that was opened at least once. */
export interface FolderState {
  readonly isOpen: boolean;
  /** Its entries when last read; absent before that. */
  readonly entries?: readonly TreeEntry[];
  readonly problem?: string;
}

export type TreeEntry = Pick<FileInfo, "path" | "name" | "kind" | "size_bytes" | "link_target">;

export type TreeRow =
  | {
      readonly kind: "entry";
      readonly entry: TreeEntry;
      readonly depth: number;
      readonly isFolder: boolean;
      readonly isOpen: boolean;
      /** The position in its folder, from 1. */
      readonly position: number;
      readonly siblings: number;
    }
  | {
      readonly kind: "note";
      /** The folder's path. */
      readonly path: string;
      readonly depth: number;
      readonly problem?: string;
    };

/** The visible rows of a tree, from top to bottom. A link to a folder opens like one. */
export function listRows(
  entries: readonly TreeEntry[],
  folders: ReadonlyMap<string, FolderState>,
  depth = 0,
): TreeRow[] {
  return entries.flatMap((entry, index): TreeRow[] => {
    const folder = folders.get(entry.path);
    const isOpen = folder?.isOpen ?? false;
    const row: TreeRow = {
      kind: "entry",
      entry,
      depth,
      isFolder: entry.kind === "folder" || (entry.kind === "symlink" && folder !== undefined),
      isOpen,
      position: index + 1,
      siblings: entries.length,
    };
    if (!folder || !isOpen) return [row];
    const note = { kind: "note", path: entry.path, depth: depth + 1 } as const;
    if (folder.problem !== undefined) return [row, { ...note, problem: folder.problem }];
    if (!folder.entries) return [row];
    if (folder.entries.length === 0) return [row, note];
    return [row, ...listRows(folder.entries, folders, depth + 1)];
  });
}

const names = new Intl.Collator(undefined, { numeric: true });

/** Folders first, then by name, with 2 before 10. */
export function sortEntries(entries: readonly FileInfo[]): readonly FileInfo[] {
  return entries.toSorted(
    (a, b) => Number(b.kind === "folder") - Number(a.kind === "folder") || names.compare(a.name, b.name),
  );
}
