import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import {
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";

/** Contents under the hash of their bytes, each once. The hash is always our own: a guest's word is not taken for it. */
export class Objects {
  readonly #folder: string;
  #used: Promise<{ bytes: number }> | undefined;
  #swept: Promise<void> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(content: Uint8Array): Promise<string> {
    const hash = createHash("sha256").update(content).digest("hex");
    // One that is damaged by now is written again.
    if (await this.read(hash)) return hash;
    const temporary = await this.#temporary();
    await writeFile(temporary, content, { mode: 0o600 });
    await this.#keep(temporary, hash, content.length);
    return hash;
  }

  /** Undefined, and nothing kept, when it has more bytes than that. */
  async putStream(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string | undefined> {
    const temporary = await this.#temporary();
    const hasher = createHash("sha256");
    let size = 0;
    try {
      await using file = await open(temporary, "wx", 0o600);
      for await (const chunk of source) {
        size += chunk.length;
        if (size > maxBytes) return undefined;
        hasher.update(chunk);
        await file.write(chunk);
      }
      const hash = hasher.digest("hex");
      if (!(await this.has(hash))) await this.#keep(temporary, hash, size);
      return hash;
    } finally {
      await rm(temporary, { force: true });
    }
  }

  async has(hash: string): Promise<boolean> {
    return stat(this.#path(hash)).then(
      () => true,
      () => false,
    );
  }

  /** Undefined when it is not there or no longer what it was. */
  async read(hash: string): Promise<Buffer | undefined> {
    const content = await readFile(this.#path(hash)).catch(() => undefined);
    return content && createHash("sha256").update(content).digest("hex") === hash ? content : undefined;
  }

  /** The same, for what may not fit into memory: it is read twice. */
  async openStream(hash: string): Promise<(() => AsyncIterable<Uint8Array>) | undefined> {
    const hasher = createHash("sha256");
    try {
      for await (const chunk of createReadStream(this.#path(hash))) hasher.update(chunk as Uint8Array);
    } catch {
      return undefined;
    }
    return hasher.digest("hex") === hash ? () => createReadStream(this.#path(hash)) : undefined;
  }

  /** At no cost where the disk allows: the same bytes under a second name. */
  async shareWith(other: Objects, hashes: readonly string[]): Promise<void> {
    for (const hash of hashes) {
      if (await other.has(hash)) continue;
      const temporary = await other.#temporary();
      const path = this.#path(hash);
      try {
        await link(path, temporary).catch(() => copyFile(path, temporary));
      } catch (error) {
        // What is damaged here is missed by whoever needs it, there as here.
        if ((error as NodeJS.ErrnoException).code === "ENOENT") continue;
        throw error;
      }
      await other.#keep(temporary, hash, (await stat(temporary)).size);
    }
  }

  async usedBytes(): Promise<number> {
    this.#used ??= this.#measure();
    return (await this.#used).bytes;
  }

  /** Everything else is removed, also what a server that died had begun. */
  async keepOnly(hashes: ReadonlySet<string>): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => []))
      if (!hashes.has(name)) await rm(join(this.#folder, name), { force: true });
    this.#used = undefined;
  }

  async #keep(temporary: string, hash: string, size: number): Promise<void> {
    this.#used ??= this.#measure();
    const used = await this.#used;
    await rename(temporary, this.#path(hash));
    used.bytes += size;
  }

  async #measure(): Promise<{ bytes: number }> {
    const names = await readdir(this.#folder).catch(() => []);
    const sizes = await Promise.all(
      names.filter(isHash).map(async (name) => (await stat(join(this.#folder, name))).size),
    );
    return { bytes: sizes.reduce((sum, size) => sum + size, 0) };
  }

  async #temporary(): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    this.#swept ??= this.#sweep();
    await this.#swept;
    return join(this.#folder, `.${randomUUID()}.partial`);
  }

  /** What a server that died had begun to write. */
  async #sweep(): Promise<void> {
    const partial = (await readdir(this.#folder)).filter((name) => name.endsWith(".partial"));
    await Promise.all(partial.map((name) => rm(join(this.#folder, name), { force: true })));
  }

  #path(hash: string): string {
    if (!isHash(hash)) throw new Error("not the hash of an object");
    return join(this.#folder, hash);
  }
}

function isHash(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name);
}
