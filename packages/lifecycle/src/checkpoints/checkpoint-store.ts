import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflate, inflate } from "node:zlib";
import type { Checkpoint, Manifest } from "./contract.ts";
import { Objects } from "./objects.ts";
import { chooseForgotten } from "./thinning.ts";

const maxCheckpoints = 200;
/** Thinning goes below its limit by this much, so that it is not needed after every turn. */
const thinnedShare = 0.8;

/** The checkpoints of one thread on the host: objects by content, and one small record for each checkpoint. */
export class CheckpointStore {
  readonly objects: Objects;
  readonly #folder: string;
  readonly #known = new Map<number, Checkpoint>();

  constructor(folder: string) {
    this.#folder = join(folder, "checkpoints");
    this.objects = new Objects(join(folder, "objects"));
  }

  /** The oldest first. Looks at the folder each time: another server may have had the thread in between. */
  async list(): Promise<readonly Checkpoint[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const numbers = names.filter((name) => /^\d+\.json$/.test(name)).map((name) => Number.parseInt(name, 10));
    for (const number of this.#known.keys()) if (!numbers.includes(number)) this.#known.delete(number);
    const read = async (number: number) => this.#known.get(number) ?? this.#read(number);
    const found = await Promise.all(numbers.toSorted((one, other) => one - other).map(read));
    return found.filter((checkpoint) => checkpoint !== undefined);
  }

  async latest(): Promise<Checkpoint | undefined> {
    return (await this.list()).at(-1);
  }

  /** Of the first of these turns that there is one of. A turn that was recorded twice has its later state. */
  async find(turnIds: readonly string[]): Promise<Checkpoint | undefined> {
    const listed = await this.list();
    for (const turnId of turnIds) {
      const found = listed.findLast((checkpoint) => checkpoint.turnId === turnId);
      if (found) return found;
    }
    return undefined;
  }

  async add(checkpoint: Omit<Checkpoint, "number">): Promise<Checkpoint> {
    const added = { number: ((await this.latest())?.number ?? 0) + 1, ...checkpoint };
    await this.#write(added);
    return added;
  }

  /** This checkpoint and those before it, for another thread, with their contents. */
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

  /** Gives up checkpoints until the objects fit, and never the latest. */
  async thin(maxBytes: number): Promise<void> {
    const isOver = async (share: number) =>
      (await this.list()).length > maxCheckpoints * share ||
      (await this.objects.usedBytes()) > maxBytes * share;
    if (!(await isOver(1))) return;
    while (await isOver(thinnedShare)) {
      const isMany = (await this.list()).length > maxCheckpoints * thinnedShare;
      const count = isMany ? (await this.list()).length - Math.floor(maxCheckpoints * thinnedShare) : 1;
      if ((await this.#forget(count)) === 0) return this.#sweep();
      await this.#sweep();
    }
  }

  async #forget(count: number): Promise<number> {
    let forgotten = 0;
    for (; forgotten < count; forgotten++) {
      const listed = await this.list();
      const number = chooseForgotten(listed.map((checkpoint) => checkpoint.number));
      if (number === undefined) break;
      await rm(this.#path(number), { force: true });
      this.#known.delete(number);
    }
    return forgotten;
  }

  async #sweep(): Promise<void> {
    const wanted = new Set<string>();
    for (const checkpoint of await this.list()) {
      if (wanted.has(checkpoint.manifest)) for (const hash of ofVariables(checkpoint)) wanted.add(hash);
      else for (const hash of await this.#hashesOf(checkpoint)) wanted.add(hash);
    }
    await this.objects.keepOnly(wanted);
  }

  /** Of all contents that it needs. */
  async #hashesOf(checkpoint: Checkpoint): Promise<string[]> {
    const { manifest } = checkpoint;
    const entries = (await this.readManifest(manifest))?.entries ?? [];
    return [manifest, ...ofVariables(checkpoint), ...entries.flatMap(({ hash }) => hash ?? [])];
  }

  /** Undefined for one that a power cut has damaged: the others are still good. */
  async #read(number: number): Promise<Checkpoint | undefined> {
    try {
      const checkpoint = JSON.parse(await readFile(this.#path(number), "utf8")) as Checkpoint;
      this.#known.set(number, checkpoint);
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
    this.#known.set(checkpoint.number, checkpoint);
  }

  #path(number: number): string {
    return join(this.#folder, `${number}.json`);
  }
}

function ofVariables({ variables }: Checkpoint): string[] {
  return variables.flatMap(({ hash }) => hash ?? []);
}
