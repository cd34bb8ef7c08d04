import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SandboxInfo } from "../../contract/sandbox.ts";

/** What is kept of a pair on the host, beside what the two sandboxes keep themselves. */
export interface PairRecord {
  readonly info: SandboxInfo;
  /** Name inside `/data` → path on the host. */
  readonly datasets: Readonly<Record<string, string>>;
  /** The heavy sandbox has been started: the files are there. */
  readonly hasHeavy: boolean;
}

/** One file for each pair: `<dataDir>/routed/<id>.json`. */
export class PairRecords {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = join(dataDir, "routed");
  }

  async read(id: string): Promise<PairRecord | undefined> {
    try {
      return JSON.parse(await readFile(this.#path(id), "utf8")) as PairRecord;
    } catch {
      return undefined;
    }
  }

  /** In whole or not at all. Writers at the same time do not disturb each other: the last one wins. */
  async write(record: PairRecord): Promise<void> {
    const path = this.#path(record.info.id);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const fresh = `${path}.${randomUUID()}.new`;
    try {
      await writeFile(fresh, JSON.stringify(record), { mode: 0o600 });
      await rename(fresh, path);
    } catch (error) {
      await rm(fresh, { force: true });
      throw error;
    }
  }

  async ids(): Promise<string[]> {
    const names = await readdir(this.#folder).catch(() => []);
    return names.filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -".json".length));
  }

  async remove(id: string): Promise<void> {
    await rm(this.#path(id), { force: true });
  }

  #path(id: string): string {
    return join(this.#folder, `${id}.json`);
  }
}
