import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { chown, mkdir, readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { join } from "node:path";
import type { Capabilities } from "../../../contract/sandbox.ts";
import { AtollError } from "../../../errors.ts";
import { GuestConnection } from "../../../guest/wire/connection.ts";
import type { PythonEnvironment } from "../../../python-environment.ts";
import { digestGuest } from "../guest-folder.ts";
import type { Layout } from "../layout.ts";
import { connectTo, isNobodyThere } from "../socket.ts";
import { nameSystem } from "../machine-name.ts";
import { withStartLock } from "../start-lock.ts";

/** The program to start, with its arguments. It writes `ready` to descriptor 3 once it takes connections. */
export type Launch = (folder: string, key: string) => Promise<readonly [string, ...string[]]>;

/** One that ends between its start and the connect is started again. */
const maxStarts = 3;

/** What the machine gives sandboxes of this zygote. */
type Held = Pick<Capabilities, "memoryLimit" | "diskLimit" | "ownUser">;

/**
 * The process that holds the imported libraries and forks sandboxes: one for a data folder. It lives on when this
 * process ends, and serves every process of this system that uses the same data folder, Python and guest code.
 */
export class Zygote {
  readonly #layout: Layout;
  readonly #python: PythonEnvironment;
  readonly #launch: Launch;
  #key: Promise<string> | undefined;
  #holding: GuestConnection | undefined;
  #held: Promise<Held> | undefined;
  #starting: Promise<void> | undefined;

  constructor(layout: Layout, python: PythonEnvironment, launch: Launch) {
    this.#layout = layout;
    this.#python = python;
    this.#launch = launch;
  }

  /** A connection on which a sandbox can be asked for; it then leads to that sandbox. */
  async connect(): Promise<Socket> {
    const address = join(await this.#runFolder(), "zygote.sock");
    for (let starts = 0; ; starts += 1) {
      try {
        return await connectTo(address);
      } catch (cause) {
        if (!isNobodyThere(cause) || starts === maxStarts) throw cannotReach(cause);
      }
      this.#starting ??= this.#startOnce(address).finally(() => {
        this.#starting = undefined;
      });
      await this.#starting;
    }
  }

  /** Keeps the zygote from ending for as long as this process lives. Tells what it can give sandboxes. */
  async hold(): Promise<Held> {
    if (this.#held && !this.#holding?.isClosed) return this.#held;
    this.#holding = new GuestConnection(await this.connect());
    this.#held = this.#holding.call<Held>("hold").then(({ result }) => result);
    return this.#held;
  }

  async lastWords(): Promise<string> {
    const log = await readFile(`${await this.#runFolder()}.log`, "utf8").catch(() => "");
    return log.trim().split("\n").slice(-5).join("\n");
  }

  /** Named by all that must be the same for a running zygote to be of use. */
  async #runFolder(): Promise<string> {
    this.#key ??= computeKey(this.#layout.root, this.#python);
    return join(this.#layout.root, `zygote-${await this.#key}`);
  }

  /** Other processes may want the same zygote at the same moment: the first starts it, the others find it. */
  async #startOnce(address: string): Promise<void> {
    await this.#layout.prepare();
    await withStartLock(`${await this.#runFolder()}.lock`, async () => {
      const isThere = await connectTo(address).then(
        (socket) => {
          socket.destroy();
          return true;
        },
        (cause: unknown) => {
          if (isNobodyThere(cause)) return false;
          throw cannotReach(cause);
        },
      );
      if (!isThere) await this.#start();
    });
  }

  async #start(): Promise<void> {
    const folder = await this.#runFolder();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (this.#layout.owner) await chown(folder, this.#layout.owner.uid, this.#layout.owner.gid);
    const [program, ...args] = await this.#launch(folder, (await this.#key) ?? "");
    // Beside the folder, where the jail cannot make it a link.
    const log = openSync(`${folder}.log`, "a", 0o600);
    const child = spawn(program, args, {
      detached: true,
      stdio: ["ignore", log, log, "pipe"],
      env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LANG: "C.UTF-8" },
    });
    closeSync(log);
    const ready = child.stdio[3] as unknown as Socket;
    const word = await new Promise<string>((resolve) => {
      ready.once("data", (chunk) => resolve(String(chunk)));
      ready.once("close", () => resolve(""));
      child.on("error", () => resolve(""));
    });
    ready.destroy();
    child.unref();
    if (word !== "ready") {
      throw new AtollError("runtime_unavailable", `the zygote did not start: ${await this.lastWords()}`);
    }
  }
}

function cannotReach(cause: unknown): AtollError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new AtollError("runtime_unavailable", `the zygote cannot be reached: ${reason}`, { cause });
}

function computeKey(root: string, python: PythonEnvironment): Promise<string> {
  return digestGuest(createHash("sha256").update(JSON.stringify([root, python, nameSystem()])));
}
