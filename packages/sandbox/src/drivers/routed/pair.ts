import { Mutex } from "@atoll/std";
import type { SandboxHandle } from "../../contract/sandbox.ts";
import { AtollError } from "../../errors.ts";
import { type LightCapacity, SharedFiles } from "./files/shared-files.ts";

export interface PairOptions {
  readonly light: SandboxHandle;
  /** Where it has been started before. */
  readonly heavy?: SandboxHandle | undefined;
  readonly capacity: LightCapacity;
  startHeavy(): Promise<SandboxHandle>;
}

/** Two sandboxes with one set of files. The heavy one starts when it is first needed, and from then on has the files. */
export class Pair {
  readonly light: SandboxHandle;
  readonly files: SharedFiles;
  readonly #startHeavy: () => Promise<SandboxHandle>;
  readonly #mutex = new Mutex();
  #heavy: Promise<SandboxHandle> | undefined;
  /** Rises with every change of files that may have been; those up to `#united` are known to both. */
  #changes = 1;
  #united = 0;
  /** Something in the heavy one may write at any time. */
  #isRestless = false;
  isPaused = false;
  isDestroyed = false;
  readonly #listeners = new Set<() => void>();

  constructor({ light, heavy, capacity, startHeavy }: PairOptions) {
    this.light = light;
    this.files = new SharedFiles(capacity);
    this.#startHeavy = startHeavy;
    this.#heavy = heavy && Promise.resolve(heavy);
    this.#isRestless = heavy !== undefined;
  }

  /** Whether the light one can have a kernel of this context. */
  hasLightKernel(context: string): boolean {
    return context === "default" || this.light.info.capabilities.contexts !== false;
  }

  get hasHeavy(): boolean {
    return this.#heavy !== undefined;
  }

  /** With all files. Started if need be. */
  async heavy(): Promise<SandboxHandle> {
    this.checkUsable();
    this.#heavy ??= this.#startHeavy();
    const starting = this.#heavy;
    starting.catch(() => {
      if (this.#heavy === starting) this.#heavy = undefined;
    });
    const heavy = await starting;
    await this.unite();
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
    return heavy;
  }

  /** Calls back once the heavy one has the files. */
  onHeavy(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** For calls that only the heavy one can answer: while it is not started, nothing else would refuse them. */
  checkUsable(): void {
    if (this.isDestroyed) throw new AtollError("sandbox_dead", "the sandbox was destroyed");
    if (this.isPaused) throw new AtollError("sandbox_paused", "the sandbox is paused: resume it first");
  }

  /** As it is, if it was ever started. */
  async startedHeavy(): Promise<SandboxHandle | undefined> {
    return this.#heavy;
  }

  /** The one that has all the files. */
  async home(): Promise<SandboxHandle> {
    return this.#heavy ? this.heavy() : this.light;
  }

  async each(work: (handle: SandboxHandle) => Promise<void>): Promise<void> {
    const heavy = await this.#heavy;
    await Promise.all([work(this.light), ...(heavy ? [work(heavy)] : [])]);
  }

  /** Files of one of them may have changed. The other one gets to know soon, and at the latest before it is used. */
  touched({ isRestless = false } = {}): void {
    this.#changes++;
    if (isRestless) this.#isRestless = true;
    if (this.#heavy) this.unite().catch(() => {});
  }

  async unite(): Promise<void> {
    if (!this.#heavy || this.#isUnited) return;
    await this.#mutex.run(async () => {
      const heavy = await this.#heavy;
      if (!heavy || this.#isUnited) return;
      const changes = this.#changes;
      await this.files.unite(this.light, heavy);
      this.#united = changes;
    });
  }

  get #isUnited(): boolean {
    return this.#united === this.#changes && !this.#isRestless;
  }
}
