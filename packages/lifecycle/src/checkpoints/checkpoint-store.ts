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
  #listed: Checkpoint[] | undefined;

  constructor(folder: string) {
    this.#folder = join(folder, "checkpoints");
    this.objects = new Objects(join(folder, "objects"));
  }

  /** The oldest first. */
  async list(): Promise<readonly Checkpoint[]> {
    this.#listed ??= await this.#readAll();
    return this.#listed;
  }

  async latest(): Promise<Checkpoint | undefined> {
    return (await this.list()).at(-1);
  }

  /** A turn that was recorded twice has its later state. */
  async find(turnId: string): Promise<Checkpoint | undefined> {
    return (await this.list()).findLast((checkpoint) => checkpoint.turnId === turnId);
  }

  async add(checkpoint: Omit<Checkpoint, "number">): Promise<Checkpoint> {
    const listed = [...(await this.list())];
    const added = { number: (listed.at(-1)?.number ?? 0) + 1, ...checkpoint };
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = this.#path(added.number);
    await writeFile(`${path}.partial`, JSON.stringify(added), { mode: 0o600 });
    await rename(`${path}.partial`, path);
    this.#listed = [...listed, added];
    return added;
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
      this.#listed = listed.filter((checkpoint) => checkpoint.number !== number);
    }
    return forgotten;
  }

  async #sweep(): Promise<void> {
    const wanted = new Set<string>();
    for (const { manifest, variables } of await this.list()) {
      for (const { hash } of variables) if (hash) wanted.add(hash);
      if (wanted.has(manifest)) continue;
      wanted.add(manifest);
      for (const { hash } of (await this.readManifest(manifest))?.entries ?? []) if (hash) wanted.add(hash);
    }
    await this.objects.keepOnly(wanted);
  }

  async #readAll(): Promise<Checkpoint[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const numbers = names.filter((name) => /^\d+\.json$/.test(name)).map((name) => Number.parseInt(name, 10));
    const read = async (number: number) =>
      JSON.parse(await readFile(this.#path(number), "utf8")) as Checkpoint;
    return Promise.all(numbers.toSorted((one, other) => one - other).map(read));
  }

  #path(number: number): string {
    return join(this.#folder, `${number}.json`);
  }
}
