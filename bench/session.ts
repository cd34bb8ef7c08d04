import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CreateOptions, Sandbox, type SandboxHandle } from "@atoll/sandbox";
import type { BenchOptions } from "./arguments.ts";
import { progress } from "./progress.ts";

const WAVE = 20;

/** What one run of the bench shares: a data folder of its own and the sandboxes in it, all gone once it is closed. */
export class Session implements AsyncDisposable {
  readonly options: BenchOptions;
  readonly signal: AbortSignal;
  readonly folder: string;
  readonly #creating = new Set<Promise<SandboxHandle>>();
  readonly #alive = new Set<SandboxHandle>();

  private constructor(options: BenchOptions, signal: AbortSignal, folder: string) {
    this.options = options;
    this.signal = signal;
    this.folder = folder;
  }

  static async open(options: BenchOptions, signal: AbortSignal): Promise<Session> {
    return new Session(options, signal, await mkdtemp(join(tmpdir(), "atoll-bench-")));
  }

  /** How often to repeat: `full` in a run whose figures count. */
  rounds(full: number, quick = 5): number {
    return this.options.isQuick ? Math.min(full, quick) : full;
  }

  async create(options: CreateOptions = {}): Promise<SandboxHandle> {
    this.signal.throwIfAborted();
    const creating = Sandbox.create({ runtime: "local", dataDir: this.folder, ...options });
    this.#creating.add(creating);
    try {
      const sandbox = await creating;
      this.#alive.add(sandbox);
      return sandbox;
    } finally {
      this.#creating.delete(creating);
    }
  }

  async destroy(sandbox: SandboxHandle, options: { keepFiles?: boolean } = {}): Promise<void> {
    await sandbox.destroy(options);
    this.#alive.delete(sandbox);
  }

  async destroyAll(): Promise<void> {
    await Promise.allSettled(this.#creating);
    const ending = [...this.#alive];
    for (let at = 0; at < ending.length; at += WAVE) {
      if (ending.length > WAVE) progress.update(`ending sandboxes: ${at} of ${ending.length}`);
      await Promise.allSettled(ending.slice(at, at + WAVE).map((sandbox) => this.destroy(sandbox)));
    }
  }

  /** The zygote ends by itself when its folder is gone and this process has let go of it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.destroyAll();
    if (this.#alive.size > 0) progress.note(`${this.#alive.size} sandboxes did not end`);
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
