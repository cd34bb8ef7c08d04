import type { TreeEntry } from "../../../contract/trees.ts";

/** Both sandboxes' marks of an entry when they were last the same. */
export interface Agreed {
  readonly light?: string;
  readonly heavy?: string;
}

export interface Difference {
  /** To be copied. */
  readonly toHeavy: readonly TreeEntry[];
  readonly toLight: readonly TreeEntry[];
  /** To be taken away; the folder of several comes alone. */
  readonly goneInLight: readonly TreeEntry[];
  readonly goneInHeavy: readonly TreeEntry[];
}

export type Entries = ReadonlyMap<string, TreeEntry>;

/**
 * What has to be done to make two trees one. What changed on one side since both agreed goes to the other; where both
 * changed, the later of the two wins, and a change wins over a removal.
 */
export function compareTrees(
  light: Entries,
  heavy: Entries,
  agreed: ReadonlyMap<string, Agreed>,
): Difference {
  const [toHeavy, toLight]: [TreeEntry[], TreeEntry[]] = [[], []];
  const [goneInLight, goneInHeavy]: [TreeEntry[], TreeEntry[]] = [[], []];
  for (const key of new Set([...light.keys(), ...heavy.keys()])) {
    const [one, other, before] = [light.get(key), heavy.get(key), agreed.get(key)];
    const isOneChanged = one !== undefined && markOf(one) !== before?.light;
    const isOtherChanged = other !== undefined && markOf(other) !== before?.heavy;
    if (one && other) {
      if ((!isOneChanged && !isOtherChanged) || isSame(one, other)) continue;
      const isOneLater = one.modifiedUs >= other.modifiedUs;
      if (isOneChanged && (!isOtherChanged || isOneLater)) toHeavy.push(one);
      else toLight.push(other);
    } else if (one) {
      if (isOneChanged || before?.heavy === undefined) toHeavy.push(one);
      else goneInHeavy.push(one);
    } else if (other) {
      if (isOtherChanged || before?.light === undefined) toLight.push(other);
      else goneInLight.push(other);
    }
  }
  return {
    toHeavy,
    toLight,
    goneInLight: topmost(goneInLight, toLight),
    goneInHeavy: topmost(goneInHeavy, toHeavy),
  };
}

export function keyOf({ root, path }: Pick<TreeEntry, "root" | "path">): string {
  return `${root}/${path}`;
}

/** Another one after every change that matters: a folder's times change with what is in it. */
export function markOf({ kind, mode, signature }: TreeEntry): string {
  return kind === "folder" ? `folder ${mode}` : signature;
}

function isSame(one: TreeEntry, other: TreeEntry): boolean {
  const isAlike = one.kind === other.kind && one.linkTarget === other.linkTarget;
  if (!isAlike || one.kind !== "file") return isAlike && (one.kind === "symlink" || one.mode === other.mode);
  return one.sizeBytes === other.sizeBytes && one.modifiedUs === other.modifiedUs && one.mode === other.mode;
}

/** Without what is below another of them; a folder into which something comes stays. */
function topmost(gone: readonly TreeEntry[], kept: readonly TreeEntry[]): TreeEntry[] {
  const isBelow = (entry: TreeEntry, folder: TreeEntry) => keyOf(entry).startsWith(`${keyOf(folder)}/`);
  const removable = gone.filter((entry) => !kept.some((other) => isBelow(other, entry)));
  return removable.filter((entry) => !removable.some((other) => isBelow(entry, other)));
}
