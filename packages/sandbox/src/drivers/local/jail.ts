import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { chown, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { join } from "node:path";
import type { Capabilities } from "../../contract/sandbox.ts";
import { AtollError } from "../../errors.ts";
import { GuestConnection } from "../../guest/connection.ts";
import type { PythonEnvironment } from "../../python-environment.ts";
import { guestFolder } from "../guest-folder.ts";
import { bubblewrapArguments, type JailBind } from "./bubblewrap.ts";
import type { Layout, Owner } from "../layout.ts";
import { connectTo } from "../socket.ts";

interface Held {
  readonly memoryLimit: Capabilities["memoryLimit"];
}

/**
 * The zygote of one data folder, in its bubblewrap. It lives on when this process ends, and serves every process that
 * uses the same data folder, Python and guest code.
 */
export class Jail {
  readonly #layout: Layout;
  readonly #python: PythonEnvironment;
  readonly #bwrap: string;
  readonly #owner: Owner | undefined;
  #holding: GuestConnection | undefined;
  #held: Promise<Held> | undefined;
  #starting: Promise<void> | undefined;

  constructor(options: { layout: Layout; python: PythonEnvironment; bwrap: string; owner: Owner | undefined }) {
    this.#layout = options.layout;
    this.#python = options.python;
    this.#bwrap = options.bwrap;
    this.#owner = options.owner;
  }

  /** A connection on which a sandbox can be asked for; it then leads to that sandbox. */
  async connect(): Promise<Socket> {
    const folder = await this.runFolder();
    try {
      return await connectTo(join(folder, "zygote.sock"));
    } catch {
      this.#starting ??= this.#start(folder).finally(() => {
        this.#starting = undefined;
      });
      await this.#starting;
      return connectTo(join(folder, "zygote.sock"));
    }
  }

  /** Keeps the zygote from ending for as long as this process lives. Tells how it can limit memory. */
  async hold(): Promise<Held> {
    if (this.#held && !this.#holding?.isClosed) return this.#held;
    this.#holding = new GuestConnection(await this.connect());
    this.#held = this.#holding.call<Held>("hold").then(({ result }) => result);
    return this.#held;
  }

  async lastWords(): Promise<string> {
    const log = await readFile(join(await this.runFolder(), "jail.log"), "utf8").catch(() => "");
    return log.trim().split("\n").slice(-5).join("\n");
  }

  /** Named by all that must be the same for a running zygote to be of use. */
  async runFolder(): Promise<string> {
    this.#key ??= computeKey(this.#layout.root, this.#python);
    return join(this.#layout.root, `jail-${await this.#key}`);
  }
  #key: Promise<string> | undefined;

  async #start(folder: string): Promise<void> {
    await this.#layout.prepare();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (this.#owner) await chown(folder, this.#owner.uid, this.#owner.gid);
    const config = await this.#writeConfig(folder);
    const log = openSync(join(folder, "jail.log"), "a", 0o600);
    const launcher = join(guestFolder, "atoll_guest/local/launch.py");
    const child = spawn(this.#python.executable, ["-I", launcher, config], {
      detached: true,
      stdio: ["ignore", log, log, "pipe"],
      env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LANG: "C.UTF-8" },
    });
    closeSync(log);
    const ready = child.stdio[3] as unknown as Socket;
    const word = await new Promise<string>((resolve) => {
      ready.once("data", (chunk) => resolve(String(chunk)));
      ready.once("close", () => resolve(""));
      child.once("error", () => resolve(""));
    });
    ready.destroy();
    child.unref();
    if (word !== "ready") {
      throw new AtollError("runtime_unavailable", `the jail did not start: ${await this.lastWords()}`);
    }
  }

  async #writeConfig(folder: string): Promise<string> {
    const binds: JailBind[] = [
      { source: join(guestFolder, "atoll_guest"), target: "/atoll/guest/atoll_guest", writable: false },
      { source: this.#layout.store, target: "/atoll/store", writable: true },
      { source: join(this.#layout.store, "datasets"), target: "/atoll/store/datasets", writable: false },
      { source: folder, target: "/atoll/run", writable: true },
    ];
    const jail = await bubblewrapArguments(this.#python, folder);
    const path = join(folder, "config.json");
    const config = {
      key: await this.#key,
      bwrap: this.#bwrap,
      jailUser: this.#owner?.uid ?? null,
      jailGroup: this.#owner?.gid ?? null,
      arguments: jail.arguments,
      binds: [...binds, ...jail.binds],
      command: jail.command,
    };
    await writeFile(path, JSON.stringify(config), { mode: 0o600 });
    return path;
  }
}

async function computeKey(root: string, python: PythonEnvironment): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify([root, python]));
  const names = await readdir(join(guestFolder, "atoll_guest"), { recursive: true });
  for (const name of names.filter((name) => name.endsWith(".py")).sort()) {
    hash.update(name).update(await readFile(join(guestFolder, "atoll_guest", name)));
  }
  return hash.digest("hex").slice(0, 16);
}
