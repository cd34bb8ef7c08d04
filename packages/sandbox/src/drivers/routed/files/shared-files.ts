import type { SandboxHandle } from "../../../contract/sandbox.ts";
import type { TreeEntry } from "../../../contract/trees.ts";
import { copyEntries } from "../../../guest/fork.ts";
import { type Agreed, compareTrees, type Entries, keyOf, markOf } from "./tree-difference.ts";

/** What the light sandbox takes of the files. */
export interface LightCapacity {
  readonly fileBytes: number;
  readonly totalBytes: number;
}

export const defaultLightCapacity: LightCapacity = {
  fileBytes: 16 * 1024 * 1024,
  totalBytes: 64 * 1024 * 1024,
};

interface Seen {
  readonly fingerprint: string;
  readonly entries: Entries;
}

/** Keeps the files of two sandboxes the same. Where nothing has changed, that costs two looks at most. */
export class SharedFiles {
  readonly #capacity: LightCapacity;
  #agreed = new Map<string, Agreed>();
  #seen: { light?: Seen; heavy?: Seen } = {};
  /** Path inside → bytes, of what is too large for the light sandbox. */
  readonly onlyHeavy = new Map<string, number>();

  constructor(capacity: LightCapacity) {
    this.#capacity = capacity;
  }

  async unite(light: SandboxHandle, heavy: SandboxHandle): Promise<void> {
    const [one, other] = await Promise.all([this.#look("light", light), this.#look("heavy", heavy)]);
    if (one.isUnchanged && other.isUnchanged) return;
    const { toHeavy, toLight, goneInLight, goneInHeavy } = compareTrees(
      one.entries,
      other.entries,
      this.#agreed,
    );
    const { fitting, tooLarge } = this.#choose(toLight, one.entries);
    this.#note(heavy, tooLarge);
    // An old version of what has grown too large is worse than none.
    const outgrown = tooLarge.filter((entry) => one.entries.has(keyOf(entry)));
    await removeAll(heavy, goneInLight);
    await removeAll(light, [...goneInHeavy, ...outgrown]);
    const refused = [
      ...(await copyEntries(light, heavy, toHeavy)),
      ...(await copyEntries(heavy, light, fitting)),
    ];
    const isLightWritten = fitting.length + goneInHeavy.length + outgrown.length > 0;
    const isHeavyWritten = toHeavy.length + goneInLight.length > 0;
    const after = {
      light: isLightWritten ? (await this.#look("light", light)).entries : one.entries,
      heavy: isHeavyWritten ? (await this.#look("heavy", heavy)).entries : other.entries,
    };
    const copied = new Set([...toHeavy, ...fitting].map(keyOf)).difference(new Set(refused.map(keyOf)));
    const keys = new Set([...after.light.keys(), ...after.heavy.keys()]);
    this.#agreed = new Map(
      [...keys].map((key) => [
        key,
        {
          ...markIn("light", key, copied, one.entries, after.light),
          ...markIn("heavy", key, copied, other.entries, after.heavy),
        },
      ]),
    );
  }

  /** What the light sandbox has of these, or no longer has, is not what the user wants: the heavy one's is. */
  async takeBack(light: SandboxHandle, entries: readonly TreeEntry[]): Promise<void> {
    await removeAll(light, entries);
    for (const key of entries.map(keyOf)) {
      const { light: _, ...rest } = this.#agreed.get(key) ?? {};
      this.#agreed.set(key, rest);
    }
  }

  async #look(side: "light" | "heavy", handle: SandboxHandle): Promise<Seen & { isUnchanged: boolean }> {
    const before = this.#seen[side];
    const scan = await handle.trees.scan(before ? { unless: before.fingerprint } : {});
    if (!scan.entries && before) return { ...before, isUnchanged: true };
    const entries = new Map((scan.entries ?? []).map((entry) => [keyOf(entry), entry]));
    this.#seen[side] = { fingerprint: scan.fingerprint, entries };
    return { fingerprint: scan.fingerprint, entries, isUnchanged: false };
  }

  /** The smaller ones first, as far as there is room. */
  #choose(wanted: readonly TreeEntry[], present: Entries): { fitting: TreeEntry[]; tooLarge: TreeEntry[] } {
    let leftBytes = this.#capacity.totalBytes;
    for (const { sizeBytes } of present.values()) leftBytes -= sizeBytes;
    const [fitting, tooLarge]: [TreeEntry[], TreeEntry[]] = [[], []];
    for (const entry of wanted.toSorted((one, other) => one.sizeBytes - other.sizeBytes)) {
      const { kind, sizeBytes } = entry;
      const fits = kind !== "file" || (sizeBytes <= this.#capacity.fileBytes && sizeBytes <= leftBytes);
      if (fits) leftBytes -= sizeBytes;
      (fits ? fitting : tooLarge).push(entry);
    }
    // A folder comes before what is in it.
    return { fitting: fitting.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)), tooLarge };
  }

  #note(heavy: SandboxHandle, tooLarge: readonly TreeEntry[]): void {
    this.onlyHeavy.clear();
    for (const { root, path, sizeBytes } of tooLarge)
      this.onlyHeavy.set(`${heavy.info.paths[root]}/${path}`, sizeBytes);
  }
}

/** What was copied has the mark of afterwards; the rest that of the comparison, so that no later change is missed. */
function markIn(
  side: "light" | "heavy",
  key: string,
  copied: ReadonlySet<string>,
  compared: Entries,
  after: Entries,
): Agreed {
  const entry = after.get(key) && (copied.has(key) ? after.get(key) : (compared.get(key) ?? after.get(key)));
  return entry ? { [side]: markOf(entry) } : {};
}

async function removeAll(handle: SandboxHandle, entries: readonly TreeEntry[]): Promise<void> {
  for (const { root, path } of entries) await handle.files.remove(`${handle.info.paths[root]}/${path}`);
}
