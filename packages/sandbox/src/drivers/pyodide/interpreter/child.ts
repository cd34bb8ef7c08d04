import { makeNotice, type Notice } from "@atoll/protocol";
import { type ChildProcess, spawn } from "node:child_process";
import { open } from "node:fs/promises";
import type { Socket } from "node:net";
import { AtollError } from "../../../errors.ts";
import {
  type GuestCall,
  GuestConnection,
  type GuestEvent,
  type Reply,
} from "../../../guest/wire/connection.ts";
import { findLauncher } from "./launcher.ts";

const maxLastWords = 4000;
const maxHeaderBytes = 16 * 1024 * 1024;

/** How an interpreter came to its end. */
export interface Ending {
  readonly exitCode: number;
  /** In words for the user, where there is more to say than the code. */
  readonly reason?: string;
  /** The reason as a notice, where it has a code. */
  readonly notice?: Notice;
  readonly isMemory: boolean;
}

/** The process of one interpreter, from its start to its end. */
export class Child {
  readonly #process: ChildProcess;
  readonly #connection: GuestConnection;
  readonly ended: Promise<Ending>;
  #hasEnded = false;
  #reason: string | undefined;
  #notice: Notice | undefined;
  #lastWords = "";
  /** What it says on its own account: output, changes of files. */
  onEvent: (event: GuestEvent) => void = () => {};

  private constructor(process: ChildProcess) {
    this.#process = process;
    const [, , errors, stream, bell] = process.stdio as unknown as Socket[];
    bell?.on("error", () => {});
    bell?.unref();
    errors?.setEncoding("utf8").on("data", (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-maxLastWords);
    });
    errors?.on("error", () => {});
    errors?.unref();
    process.unref();
    this.#connection = new GuestConnection(stream as Socket, {
      onFrame: () => bell?.write("!"),
      maxHeaderBytes,
    });
    void this.#connection.closed.then(() => this.#endViolator());
    this.ended = new Promise((resolve) => {
      process.on("error", (error) => {
        this.#lastWords = error.message;
        resolve({ exitCode: 127, isMemory: false, reason: error.message });
      });
      process.once("close", (code, signal) => {
        this.#hasEnded = true;
        resolve(this.#describeEnd(code, signal));
      });
    });
  }

  /** Until it waits to become somebody's, or has sent its memory if it was started without one. */
  static async start(snapshot: string | undefined): Promise<{ child: Child; snapshot?: Uint8Array }> {
    const { assets, owner, command } = await findLauncher();
    const wheels = assets.wheels.map(({ path }) => path);
    const readable = [...assets.sources, assets.pyodide, assets.guest, ...wheels];
    const options = { assets: assets.pyodide, guest: assets.guest, wheels, isCopy: snapshot !== undefined };
    const { file, args } = command([assets.program, JSON.stringify(options)], readable);
    // Opened here: its folder need not be one that the process could look into.
    const memory = snapshot === undefined ? undefined : await open(snapshot);
    try {
      const stdio = ["ignore", "ignore", "pipe", "pipe", "pipe", memory?.fd ?? "ignore"] as const;
      // A group of its own: with bubblewrap there are two processes to stop and to end.
      const child = new Child(spawn(file, args, { ...owner, env: {}, stdio: [...stdio], detached: true }));
      return { child, ...(await child.#waitUntilReady()) };
    } finally {
      await memory?.close();
    }
  }

  get isAlive(): boolean {
    return !this.#hasEnded && !this.#connection.isClosed;
  }

  call<Result>(
    method: string,
    params?: Record<string, unknown>,
    options?: GuestCall,
  ): Promise<Reply<Result>> {
    return this.#connection.call(method, params, options);
  }

  signal(name: NodeJS.Signals): void {
    const { pid } = this.#process;
    if (pid === undefined || this.#hasEnded) return;
    try {
      process.kill(process.platform === "win32" ? pid : -pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }

  /** Nothing more of it is heard until then. */
  holdUp(until: Promise<unknown>): void {
    this.#connection.pause();
    const goOn = () => this.#connection.resume();
    until.then(goOn, goOn);
  }

  async kill(): Promise<Ending> {
    this.signal("SIGKILL");
    return waitedFor(this.ended);
  }

  #endViolator(): void {
    const { violation } = this.#connection;
    if (violation === undefined) return;
    this.#reason ??= `The kernel was ended: ${violation}.`;
    this.signal("SIGKILL");
  }

  async #waitUntilReady(): Promise<{ snapshot?: Uint8Array }> {
    const ready = Promise.withResolvers<{ snapshot?: Uint8Array }>();
    const watching = this.#connection.call(
      "watch",
      {},
      {
        isBackground: true,
        onEvent: (event) => {
          if (event.name === "parked") ready.resolve({});
          else if (event.name === "snapshot") ready.resolve({ snapshot: event.body });
          else if (event.name === "violation") this.#noteViolation(event);
          else this.onEvent(event);
        },
      },
    );
    const lost = watching.catch(async () => {
      const { exitCode } = await this.ended;
      throw new AtollError(
        "runtime_unavailable",
        `Python in WebAssembly did not start (exit code ${exitCode}): ${this.#lastWords.trim()}`,
      );
    });
    lost.catch(() => {});
    return waitedFor(Promise.race([ready.promise, lost.then(() => ready.promise)]));
  }

  #noteViolation({ data }: GuestEvent): void {
    this.#notice = makeNotice("javascript_closed", { name: String(data["name"]).slice(0, 200) });
    this.#reason = this.#notice.text;
  }

  #describeEnd(code: number | null, signal: NodeJS.Signals | null): Ending {
    const exitCode = code ?? (signal === "SIGKILL" ? 137 : 134);
    const isMemory = /heap out of memory|Out of memory/i.test(this.#lastWords);
    return { exitCode, isMemory, reason: this.#reason, notice: this.#notice };
  }
}

/** A child that nobody waits for does not keep this process alive; one that starts or ends does. */
async function waitedFor<Result>(event: Promise<Result>): Promise<Result> {
  const timer = setInterval(() => {}, 2 ** 30);
  try {
    return await event;
  } finally {
    clearInterval(timer);
  }
}
