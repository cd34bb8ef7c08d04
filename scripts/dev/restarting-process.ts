import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { once } from "node:events";

export interface RestartingOptions {
  readonly command: readonly [string, ...string[]];
  readonly options?: SpawnOptions;
  /** A process that has not ended after so long is killed. */
  readonly graceMs: number;
  say(text: string): void;
}

/**
 * A process that can be started anew. There is never more than one: the next starts when the last has ended, and with
 * it its port and its locks.
 */
export class RestartingProcess {
  readonly #options: RestartingOptions;
  #child: ChildProcess | undefined;
  #work: Promise<void> | undefined;
  #ending: Promise<void> | undefined;
  #isWanted = false;
  #isStopped = false;

  constructor(options: RestartingOptions) {
    this.#options = options;
    this.#start();
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Changes that come while it restarts cost one further restart, however many they are. */
  restart(reason: string): void {
    this.#isWanted = true;
    this.#work ??= this.#restart(reason).finally(() => (this.#work = undefined));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#end();
    await this.#work;
  }

  kill(): void {
    this.#child?.kill("SIGKILL");
  }

  async #restart(reason: string): Promise<void> {
    this.#options.say(`starts again, since ${reason}`);
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false;
      await this.#end();
      if (!this.#isStopped && !this.#isWanted) this.#start();
    }
  }

  #start(): void {
    const [program, ...args] = this.#options.command;
    const child = spawn(program, args, {
      ...this.#options.options,
      // A group of its own: the terminal's Ctrl-C comes through `stop` alone, since a second one would cut the end short.
      detached: true,
      // By the channel it learns of a parent that was killed.
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    this.#child = child;
    child.once("error", (error) => this.#options.say(`cannot be started: ${error.message}`));
    child.once("exit", (code) => {
      this.#child = undefined;
      if (this.#ending) return;
      this.#options.say(`has ended (${code ?? "killed"}); it starts again with the next change`);
    });
  }

  /** Who asks for the end while it is ending waits for the same: a second signal would cut it short. */
  #end(): Promise<void> {
    this.#ending ??= this.#terminate().finally(() => (this.#ending = undefined));
    return this.#ending;
  }

  async #terminate(): Promise<void> {
    const child = this.#child;
    if (!child?.pid) return;
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), this.#options.graceMs);
    await exited;
    clearTimeout(timer);
  }
}
