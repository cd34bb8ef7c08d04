import { chmod, chown, cp, link, lstat, mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { constants } from "node:fs";
import { join } from "node:path";
import type { SandboxInfo } from "../../contract/sandbox.ts";
import { AtollError } from "../../errors.ts";
import { removeTree, replaceOwnFile } from "./host-files.ts";
import { endNamespace, endTree } from "./forced-end.ts";
import { connectTo, isNobodyThere } from "./socket.ts";

/**
 * Where a driver on this machine keeps things. The local driver's jail sees `store`; a sandbox only its own folders.
 *
 *     <dataDir>/<driver>/store/sandboxes/<id>/{workspace,session,outputs,work}   writable inside
 *     <dataDir>/<driver>/store/sandboxes/<id>/{info.json,guest.sock}             not visible inside
 *     <dataDir>/<driver>/store/datasets/<id>/                                    read-only inside, as /data
 *     <dataDir>/<driver>/copies/<id>/<run_id>/                                   what its last runs made
 *     <dataDir>/outputs/<run_id>/                                                what ephemeral runs leave
 */
export class Layout {
  readonly root: string;
  readonly store: string;
  readonly owner: Owner | undefined;

  constructor(dataDir: string, driver: string, owner?: Owner) {
    this.root = join(dataDir, driver);
    this.store = join(this.root, "store");
    this.owner = owner;
  }

  sandbox(id: string): string {
    return join(this.store, "sandboxes", id);
  }

  datasets(id: string): string {
    return join(this.store, "datasets", id);
  }

  copies(id: string): string {
    return join(this.root, "copies", id);
  }

  socket(id: string): string {
    return join(this.sandbox(id), "guest.sock");
  }

  async hasSocket(id: string): Promise<boolean> {
    return lstat(this.socket(id)).then(
      () => true,
      () => false,
    );
  }

  async prepare(): Promise<void> {
    const sandboxes = join(this.store, "sandboxes");
    await mkdir(this.root, { recursive: true, mode: 0o700 });
    await mkdir(join(this.store, "datasets"), { recursive: true });
    await mkdir(sandboxes, { recursive: true, mode: 0o700 });
    // Guests make the folders of new sandboxes themselves.
    if (this.owner) await chown(sandboxes, this.owner.uid, this.owner.gid);
  }

  /** Shows files of the host in `/data` without copying them where the file system allows it. */
  async placeDatasets(id: string, datasets: Readonly<Record<string, string>>): Promise<boolean> {
    const folder = this.datasets(id);
    if (Object.keys(datasets).length === 0) return false;
    await rm(folder, { recursive: true, force: true });
    await mkdir(join(folder, "outputs"), { recursive: true });
    await placeAll(folder, datasets);
    return true;
  }

  /** Name inside → path on the host, of what is shown there now. */
  async placedDatasets(id: string): Promise<Record<string, string>> {
    const names = await readdir(this.datasets(id)).catch(() => []);
    const shown = names.filter((name) => name !== "outputs");
    return Object.fromEntries(shown.map((name) => [name, join(this.datasets(id), name)]));
  }

  async readInfo(id: string): Promise<SandboxInfo | undefined> {
    try {
      return JSON.parse(await readFile(join(this.sandbox(id), "info.json"), "utf8")) as SandboxInfo;
    } catch {
      return undefined;
    }
  }

  /** In whole or not at all: others may read it meanwhile. */
  async writeInfo(info: SandboxInfo): Promise<void> {
    await replaceOwnFile(this.sandbox(info.id), "info.json", JSON.stringify(info), this.owner);
  }

  async ids(): Promise<string[]> {
    return readdir(join(this.store, "sandboxes")).catch(() => []);
  }

  /** Ends what runs of it without its cooperation; its files stay. True when nothing runs any more. */
  async kill(id: string): Promise<boolean> {
    const folder = this.sandbox(id);
    if (await endTree(join(folder, "guest.pid"))) return true;
    if (await endNamespace(join(folder, "workspace"))) return true;
    // It may have ended by itself meanwhile.
    return connectTo(this.socket(id), { patienceMs: 0 }).then(
      (socket) => {
        socket.destroy();
        return false;
      },
      (error: unknown) => isNobodyThere(error),
    );
  }

  async remove(id: string, keepFiles: boolean): Promise<void> {
    await rm(this.socket(id), { force: true });
    await rm(this.datasets(id), { recursive: true, force: true });
    if (keepFiles) return;
    await rm(this.copies(id), { recursive: true, force: true });
    await removeTree(this.sandbox(id));
  }
}

/** The user the jail runs as, where that is not the user of this process. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Name in the folder → path on the host. */
export async function placeAll(folder: string, datasets: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, source] of Object.entries(datasets)) await place(source, join(folder, name));
}

async function place(source: string, target: string): Promise<void> {
  const facts = await stat(source).catch((cause: unknown) => {
    throw new AtollError("not_found", `datasets: there is nothing at ${source}`, { cause });
  });
  if (facts.isDirectory()) {
    await mkdir(target);
    for (const name of await readdir(source)) {
      const inner = await lstat(join(source, name));
      // A link could lead anywhere on the host; only what really lies in the folder is shown.
      if (inner.isFile() || inner.isDirectory()) await place(join(source, name), join(target, name));
    }
  } else if (facts.isFile()) {
    await placeFile(source, target, (facts.mode & 0o004) !== 0);
  } else {
    throw new AtollError("not_a_file", `datasets: ${source} is neither a file nor a folder`);
  }
}

/** A second name for the same file if the jail's user may read it; else a copy that it may. */
async function placeFile(source: string, target: string, isReadable: boolean): Promise<void> {
  if (isReadable) {
    try {
      return await link(source, target);
    } catch {
      // Another file system, or one without links.
    }
  }
  await cp(source, target, { mode: constants.COPYFILE_FICLONE, dereference: true });
  await chmod(target, 0o644);
}
