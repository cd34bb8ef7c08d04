import type { Runner } from "../threads/contract.ts";
import type { Store } from "../store/contract.ts";
import type { TrashedThread } from "../store/trash/contract.ts";

export interface ThreadTrashOptions {
  readonly store: Pick<Store, "ages" | "trash">;
  readonly runner: () => Pick<Runner, "remove" | "trash" | "restore" | "purge">;
  /** How long a thread can be taken back; 0: there is no trash. */
  readonly keepMs: number;
  /** With several servers: the thread is nobody's from now on. */
  release?(threadId: string): Promise<void>;
  onProblem(threadId: string, error: unknown): void;
}

/** Moves the clock that threads age by, and purges what has been in the trash for long enough by it. */
export class ThreadTrash {
  readonly #options: ThreadTrashOptions;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor(options: ThreadTrashOptions) {
    this.#options = options;
  }

  get keepMs(): number {
    return this.#options.keepMs;
  }

  /** `isNow`: it cannot be taken back. False when there was none. */
  async put(threadId: string, options: { isNow?: boolean } = {}): Promise<boolean> {
    const runner = this.#options.runner();
    if (options.isNow || this.keepMs === 0) return runner.remove(threadId);
    const isPut = await runner.trash(threadId);
    await this.#options.release?.(threadId);
    return isPut;
  }

  list(): Promise<readonly TrashedThread[]> {
    return this.#options.store.trash.list();
  }

  restore(threadId: string): Promise<boolean> {
    return this.#options.runner().restore(threadId);
  }

  purge(threadId: string): Promise<boolean> {
    return this.#options.runner().purge(threadId);
  }

  start(): Promise<void> {
    this.#timer = setInterval(() => void this.look(), lookEveryMs).unref();
    return this.look();
  }

  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { store, keepMs, onProblem } = this.#options;
    try {
      const { graceMs } = await store.ages.advance();
      if (graceMs > 0) return;
      for (const { id, inTrashMs } of await this.list())
        if (inTrashMs >= keepMs) await this.purge(id).catch((error: unknown) => onProblem(id, error));
    } catch (error) {
      onProblem("", error);
    }
  }
}

/** How far the clock may stand behind when a server is killed. */
const lookEveryMs = 60_000;
