import { createHash, randomBytes } from "node:crypto";
import { access, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SandboxInfo, SandboxMode } from "../../contract/sandbox.ts";
import { makeOwnFolder, removeTree } from "../_shared/host-files.ts";
import { Layout, type Owner, placeAll } from "../_shared/layout.ts";
import { connectTo, isNobodyThere } from "../_shared/socket.ts";
import { nameSystem } from "../_shared/machine-name.ts";
import { guestFiles } from "./container-spec.ts";
import { Engine, findEngineSocket } from "./engine.ts";
import type { Shape } from "./container-config.ts";

/** What is known of the container that has a home's folders, written beside them. */
export interface ContainerNote {
  readonly name: string;
  readonly shape: Shape;
  /** Of the guest's code, which a container has loaded for good. */
  readonly guest: string;
  /** The process that started it. */
  readonly maker: number;
}

/**
 * The folders of one container on the host. A parked container has them in `parked/<name>`; when it becomes a sandbox
 * they move to `sandboxes/<id>`, which its mounts do not notice.
 *
 *     {workspace,session,outputs,work}          writable inside
 *     data                                      read-only inside, as /data
 *     {info.json,container.json,guest.sock}     not visible inside
 */
export class Home {
  readonly folder: string;
  readonly #owner: Owner | undefined;

  constructor(folder: string, owner: Owner | undefined) {
    this.folder = folder;
    this.#owner = owner;
  }

  get socket(): string {
    return join(this.folder, "guest.sock");
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  async prepare(mode: SandboxMode): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    // `outputs` is mounted over the folder of that name in `data`.
    await mkdir(this.path("data/outputs"), { recursive: true });
    const own = ["workspace", "session", "session/artifacts", "outputs"];
    for (const name of mode === "ephemeral" ? [...own, "work", "work/artifacts"] : own)
      await makeOwnFolder(this.path(name), this.#owner);
    // Of a container before, or of code in it that wants to be taken for a guest.
    for (const name of Object.values(guestFiles)) await removeTree(this.path(`session/${name}`));
  }

  /** In place: the folder is mounted already. */
  async placeDatasets(datasets: Readonly<Record<string, string>>): Promise<void> {
    for (const name of await readdir(this.path("data")))
      if (name !== "outputs") await rm(this.path(`data/${name}`), { recursive: true, force: true });
    await placeAll(this.path("data"), datasets);
  }

  async writeNote(note: ContainerNote): Promise<void> {
    await writeFile(this.path("container.json"), JSON.stringify(note), { mode: 0o600 });
  }

  async readNote(): Promise<ContainerNote | undefined> {
    try {
      return JSON.parse(await readFile(this.path("container.json"), "utf8")) as ContainerNote;
    } catch {
      return undefined;
    }
  }

  async writeInfo(info: SandboxInfo): Promise<void> {
    await writeFile(this.path("info.json"), JSON.stringify(info), { mode: 0o600 });
  }

  async isThere(): Promise<boolean> {
    return access(this.folder).then(
      () => true,
      () => false,
    );
  }

  async remove(): Promise<void> {
    await removeTree(this.folder);
  }
}

export class DockerLayout extends Layout {
  constructor(dataDir: string, owner: Owner | undefined) {
    super(dataDir, "docker", owner);
  }

  override datasets(id: string): string {
    return join(this.sandbox(id), "data");
  }

  override async prepare(): Promise<void> {
    for (const name of ["sandboxes", "parked"])
      await mkdir(join(this.store, name), { recursive: true, mode: 0o700 });
  }

  /** One of a few, since a lock's file stays: sandboxes that have the same one start one after the other. */
  startLock(id: string): string {
    const slot = createHash("sha256").update(id).digest("hex").slice(0, 2);
    return join(this.root, `start-${slot}.lock`);
  }

  home(id: string): Home {
    return new Home(this.sandbox(id), this.owner);
  }

  newHome(): Home {
    const name = `${nameSystem()}-${randomBytes(8).toString("hex")}`;
    return new Home(join(this.store, "parked", name), this.owner);
  }

  /** Those of this system: on another machine that shares the folder, nobody here can say whether one lives. */
  async parkedHomes(): Promise<Home[]> {
    const names = await readdir(join(this.store, "parked")).catch(() => []);
    const own = names.filter((name) => name.startsWith(`${nameSystem()}-`));
    return own.map((name) => new Home(join(this.store, "parked", name), this.owner));
  }

  /** In one step, so that of several who want a parked container, or an id, one gets it. */
  async settle(home: Home, id: string): Promise<void> {
    if (home.folder !== this.sandbox(id)) await rename(home.folder, this.sandbox(id));
  }

  override async kill(id: string): Promise<boolean> {
    const note = await this.home(id).readNote();
    if (!note) return false;
    await new Engine(findEngineSocket()).remove(note.name);
    return true;
  }

  /** A guest that was asked to end no longer listens; one that still does is ended with its container. */
  override async remove(id: string, keepFiles: boolean): Promise<void> {
    const home = this.home(id);
    const isListening = await connectTo(home.socket, { patienceMs: 0 }).then(
      (socket) => {
        socket.destroy();
        return true;
      },
      (error: unknown) => !isNobodyThere(error),
    );
    if (isListening) await this.kill(id);
    await super.remove(id, keepFiles);
  }
}
