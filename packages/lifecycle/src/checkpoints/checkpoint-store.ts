import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflate, inflate } from "node:zlib";
import type { Checkpoint, Manifest } from "./contract.ts";
import { ObjectStore } from "./object-store.ts";

const MAX_CHECKPOINTS = 200;
/** Pruning goes this far below its limit, so that it is not needed after every turn. */
const PRUNED_SHARE = 0.8;

/** The checkpoints of one thread on the host: objects by content, and one small record for each checkpoint. */
export class CheckpointStore {
  readonly objects: ObjectStore;
  readonly #folder: string;
  readonly #cache = new Map<number, Checkpoint>();

  constructor(folder: string) {
    this.#folder = join(folder, "checkpoints");
    this.objects = new ObjectStore(join(folder, "objects"));
  }

  /** The oldest first. Reads the folder each time: another server may have owned the thread in between. */
  async list(): Promise<readonly Checkpoint[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const numbers = names.filter((name) => /^\d+\.json$/.test(name)).map((name) => Number.parseInt(name, 10));
    for (const number of this.#cache.keys()) if (!numbers.includes(number)) this.#cache.delete(number);
    const read = async (number: number) => this.#cache.get(number) ?? this.#read(number);
    const checkpoints = await Promise.all(numbers.toSorted((one, other) => one - other).map(read));
    return checkpoints.filter((checkpoint) => checkpoint !== undefined);
  }

  async latest(): Promise<Checkpoint | undefined> {
    return (await this.list()).at(-1);
  }

  /** The checkpoint of the first of these turns that has one. Of a turn that was recorded twice, the later one. */
  async find(turnIds: readonly string[]): Promise<Checkpoint | undefined> {
    const checkpoints = await this.list();
    for (const turnId of turnIds) {
      const match = checkpoints.findLast((checkpoint) => checkpoint.turnId === turnId);
      if (match) return match;
    }
    return undefined;
  }

  async add(checkpoint: Omit<Checkpoint, "number">): Promise<Checkpoint> {
    const added = { number: ((await this.latest())?.number ?? 0) + 1, ...checkpoint };
    await this.#write(added);
    return added;
  }

  /** Copies this checkpoint and those before it, with their contents, for another thread. */
  async copyTo(other: CheckpointStore, last: Checkpoint): Promise<void> {
    for (const checkpoint of await this.list()) {
      if (checkpoint.number > last.number) break;
      await this.objects.shareWith(other.objects, await this.#hashesOf(checkpoint));
      await other.#write(checkpoint);
    }
  }

  async putManifest(manifest: Manifest): Promise<string> {
    return this.objects.put(await promisify(deflate)(JSON.stringify(manifest)));
  }

  async readManifest(hash: string): Promise<Manifest | undefined> {
    const packed = await this.objects.read(hash);
    return packed && (JSON.parse((await promisify(inflate)(packed)).toString()) as Manifest);
  }

  /** Removes checkpoints until the objects fit. The latest stays. */
  async prune(maxBytes: number): Promise<void> {
    const isOver = async (share: number) =>
      (await this.list()).length > MAX_CHECKPOINTS * share ||
      (await this.objects.usedBytes()) > maxBytes * share;
    if (!(await isOver(1))) return;
    const targetCount = Math.floor(MAX_CHECKPOINTS * PRUNED_SHARE);
    while (await isOver(PRUNED_SHARE)) {
      const surplus = Math.max(1, (await this.list()).length - targetCount);
      const removed = await this.#removeCheckpoints(surplus);
      await this.#removeUnusedObjects();
      if (removed === 0) return;
    }
  }

  async #removeCheckpoints(count: number): Promise<number> {
    let removed = 0;
    for (; removed < count; removed++) {
      const checkpoints = await this.list();
      const number = choosePruned(checkpoints.map((checkpoint) => checkpoint.number));
      if (number === undefined) break;
      await rm(this.#path(number), { force: true });
      this.#cache.delete(number);
    }
    return removed;
  }

  async #removeUnusedObjects(): Promise<void> {
    const used = new Set<string>();
    for (const checkpoint of await this.list()) {
      // Checkpoints that share a manifest share its files too.
      if (used.has(checkpoint.manifest)) for (const hash of variableHashes(checkpoint)) used.add(hash);
      else for (const hash of await this.#hashesOf(checkpoint)) used.add(hash);
    }
    await this.objects.keepOnly(used);
  }

  /** The hashes of all contents that the checkpoint needs. */
  async #hashesOf(checkpoint: Checkpoint): Promise<string[]> {
    const { manifest } = checkpoint;
    const entries = (await this.readManifest(manifest))?.entries ?? [];
    return [manifest, ...variableHashes(checkpoint), ...entries.flatMap(({ hash }) => hash ?? [])];
  }

  /** Undefined for a record that a power cut has damaged: the others are still good. */
  async #read(number: number): Promise<Checkpoint | undefined> {
    try {
      const checkpoint = JSON.parse(await readFile(this.#path(number), "utf8")) as Checkpoint;
      this.#cache.set(number, checkpoint);
      return checkpoint;
    } catch {
      return undefined;
    }
  }

  async #write(checkpoint: Checkpoint): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = this.#path(checkpoint.number);
    await writeFile(`${path}.partial`, JSON.stringify(checkpoint), { mode: 0o600 });
    await rename(`${path}.partial`, path);
    this.#cache.set(checkpoint.number, checkpoint);
  }

  #path(number: number): string {
    return join(this.#folder, `${number}.json`);
  }
}

/**
 * Which of these numbers, the oldest first, to remove next: the one whose absence leaves the smallest gap in proportion
 * to its age, so that checkpoints get exponentially sparser with age. Never the newest; undefined if it is the only one.
 */
export function choosePruned(numbers: readonly number[]): number | undefined {
  const newest = numbers.at(-1);
  if (newest === undefined || numbers.length < 2) return undefined;
  let smallest: { number: number; gap: number } | undefined;
  for (let at = 1; at < numbers.length - 1; at++) {
    const [older, number, younger] = [numbers[at - 1], numbers[at], numbers[at + 1]] as [
      number,
      number,
      number,
    ];
    // How much further back the next older checkpoint is, in proportion.
    const gap = (newest - older + 1) / (newest - younger + 1);
    // Of two equal gaps the older checkpoint goes.
    if (!smallest || gap < smallest.gap) smallest = { number, gap };
  }
  return smallest?.number ?? numbers[0];
}

function variableHashes({ variables }: Checkpoint): string[] {
  return variables.flatMap(({ hash }) => hash ?? []);
}
