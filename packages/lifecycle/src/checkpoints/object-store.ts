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

/** Contents by the hash of their bytes, each stored once. The hash is computed here: a guest's hash is not trusted. */
export class ObjectStore {
  readonly #folder: string;
  #usage: Promise<{ bytes: number }> | undefined;
  #cleaned: Promise<void> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(content: Uint8Array): Promise<string> {
    const hash = createHash("sha256").update(content).digest("hex");
    // Reads it, so that a damaged copy is written again.
    if (await this.read(hash)) return hash;
    const temporary = await this.#createTemporaryPath();
    await writeFile(temporary, content, { mode: 0o600 });
    await this.#commit(temporary, hash, content.length);
    return hash;
  }

  /** Undefined if it has more than `maxBytes`: then nothing is stored. */
  async putStream(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string | undefined> {
    const temporary = await this.#createTemporaryPath();
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
      if (!(await this.has(hash))) await this.#commit(temporary, hash, size);
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

  /** Undefined if it is missing or damaged. */
  async read(hash: string): Promise<Buffer | undefined> {
    const content = await readFile(this.#path(hash)).catch(() => undefined);
    return content && createHash("sha256").update(content).digest("hex") === hash ? content : undefined;
  }

  /** The same for contents that may not fit into memory. The content is read twice: first to check its hash. */
  async openStream(hash: string): Promise<(() => AsyncIterable<Uint8Array>) | undefined> {
    const hasher = createHash("sha256");
    try {
      for await (const chunk of createReadStream(this.#path(hash))) hasher.update(chunk as Uint8Array);
    } catch {
      return undefined;
    }
    return hasher.digest("hex") === hash ? () => createReadStream(this.#path(hash)) : undefined;
  }

  /** Uses hard links where the file system allows them, so that nothing is copied. */
  async shareWith(other: ObjectStore, hashes: readonly string[]): Promise<void> {
    for (const hash of hashes) {
      if (await other.has(hash)) continue;
      const temporary = await other.#createTemporaryPath();
      const path = this.#path(hash);
      try {
        await link(path, temporary).catch(() => copyFile(path, temporary));
      } catch (error) {
        // What is missing here stays missing there.
        if ((error as NodeJS.ErrnoException).code === "ENOENT") continue;
        throw error;
      }
      await other.#commit(temporary, hash, (await stat(temporary)).size);
    }
  }

  async usedBytes(): Promise<number> {
    this.#usage ??= this.#measure();
    return (await this.#usage).bytes;
  }

  /** Removes everything else, also the partial files of a server that died. */
  async keepOnly(hashes: ReadonlySet<string>): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => []))
      if (!hashes.has(name)) await rm(join(this.#folder, name), { force: true });
    this.#usage = undefined;
  }

  async #commit(temporary: string, hash: string, size: number): Promise<void> {
    this.#usage ??= this.#measure();
    const usage = await this.#usage;
    await rename(temporary, this.#path(hash));
    usage.bytes += size;
  }

  async #measure(): Promise<{ bytes: number }> {
    const names = await readdir(this.#folder).catch(() => []);
    const sizes = await Promise.all(
      names.filter(isHash).map(async (name) => (await stat(join(this.#folder, name))).size),
    );
    return { bytes: sizes.reduce((sum, size) => sum + size, 0) };
  }

  async #createTemporaryPath(): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    this.#cleaned ??= this.#removePartial();
    await this.#cleaned;
    return join(this.#folder, `.${randomUUID()}.partial`);
  }

  /** Removes the partial files of a server that died. */
  async #removePartial(): Promise<void> {
    const partial = (await readdir(this.#folder)).filter((name) => name.endsWith(".partial"));
    await Promise.all(partial.map((name) => rm(join(this.#folder, name), { force: true })));
  }

  #path(hash: string): string {
    if (!isHash(hash)) throw new Error("not a hash of an object");
    return join(this.#folder, hash);
  }
}

function isHash(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name);
}
