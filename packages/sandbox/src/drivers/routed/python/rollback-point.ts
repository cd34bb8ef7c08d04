import type { SandboxHandle } from "../../../contract/sandbox.ts";
import type { TreeEntry } from "../../../contract/trees.ts";
import { AtollError } from "../../../errors.ts";
import { type SavedVariables, saveVariables } from "../variables/transfer-variables.ts";
import type { Pair } from "../pair.ts";
import { type Entries, keyOf, markOf } from "../files/tree-difference.ts";
import type { Variables } from "../variables/variables.ts";

/** How the light sandbox was before a run. */
export interface Point {
  readonly files: Files;
  /** Of the variables that it had; undefined when they could not be saved. */
  readonly variables: SavedVariables | undefined;
  readonly names: readonly string[];
}

interface Files {
  readonly fingerprint: string;
  readonly entries: Entries;
}

const saveTimeoutMs = 5000;

/** Remembers, for runs that may have to be done over, what they begin with. */
export class Points {
  readonly #pair: Pair;
  #files: Files | undefined;
  readonly #saved = new Map<string, SavedVariables>();

  constructor(pair: Pair) {
    this.#pair = pair;
  }

  async take(context: string, variables: Variables): Promise<Point> {
    const { light } = this.#pair;
    const files = await this.#look(light);
    const names = variables.in("light");
    if (names.length === 0) return { files, variables: undefined, names };
    const known = variables.isSaved ? this.#saved.get(context) : undefined;
    const saved = known ?? (await this.#save(context, names));
    if (saved) this.#saved.set(context, saved);
    variables.isSaved = saved !== undefined;
    return { files, variables: saved, names };
  }

  /**
   * Takes back what a run did to the files. Says why it cannot: the old content of a file that was changed is only there
   * if the heavy sandbox has it.
   */
  async takeBackFiles(point: Point): Promise<string | undefined> {
    const { light, files, hasHeavy } = this.#pair;
    const now = await this.#look(light, point.files);
    if (now === point.files) return undefined;
    const added = [...now.entries.values()].filter((entry) => !point.files.entries.has(keyOf(entry)));
    const changed = [...point.files.entries.values()].filter((entry) => isChanged(entry, now.entries));
    const [first] = changed;
    if (first && !hasHeavy) return `it had already changed ${first.path}`;
    await files.takeBack(light, [...changed, ...added]);
    return undefined;
  }

  async #look(light: SandboxHandle, before = this.#files): Promise<Files> {
    const scan = await light.trees.scan(before ? { unless: before.fingerprint } : {});
    if (!scan.entries && before) return before;
    const entries = new Map((scan.entries ?? []).map((entry) => [keyOf(entry), entry]));
    this.#files = { fingerprint: scan.fingerprint, entries };
    return this.#files;
  }

  /** Variables that cannot be saved are no reason not to run. */
  async #save(context: string, names: readonly string[]): Promise<SavedVariables | undefined> {
    try {
      const signal = AbortSignal.timeout(saveTimeoutMs);
      return await saveVariables(this.#pair.light, "before", { context, only: names, signal });
    } catch (error) {
      if (error instanceof AtollError && error.code !== "sandbox_dead") return undefined;
      throw error;
    }
  }
}

function isChanged(entry: TreeEntry, now: Entries): boolean {
  const present = now.get(keyOf(entry));
  return !present || markOf(present) !== markOf(entry);
}
