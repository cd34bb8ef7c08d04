import { setImmediate as nextTurn } from "node:timers/promises";
import type { Sandbox } from "@atoll/sandbox";
import { describeRestore } from "../prompt/restore.ts";
import { describeSurroundings, type Surroundings } from "../prompt/system.ts";
import type { Awake } from "../request.ts";

/** The thread's sandbox, woken beside the first model call and awaited only by what needs it. */
export class SandboxAccess {
  readonly #wake: () => Promise<Awake>;
  readonly #told: Surroundings;
  readonly #startedAt = performance.now();
  #waking: Promise<Awake>;
  #awake: Awake | undefined;
  #hasFailed = false;
  #hasToldReal = false;
  /** Time that the run stood still for the sandbox. */
  blockedMs = 0;

  /** `isDeferred`: in the next turn of the event loop, so that a model's request, which the user waits for, leaves first. */
  constructor(wake: () => Promise<Awake>, told: Surroundings, { isDeferred = false } = {}) {
    this.#wake = wake;
    this.#told = told;
    this.#waking = isDeferred ? nextTurn().then(() => this.#begin()) : this.#begin();
    this.#waking.catch(() => {});
  }

  async use(): Promise<Sandbox> {
    const startedAt = performance.now();
    try {
      return (await this.#waking).sandbox;
    } finally {
      this.blockedMs += performance.now() - startedAt;
    }
  }

  /** The sandbox turned out to be dead: whoever needs it next gets it woken anew. */
  renew(): void {
    this.#awake = undefined;
    this.#waking = this.#begin();
  }

  /** What the model was not told yet, or was told otherwise. Empty after the first time. */
  takeNews(): string {
    const awake = this.#awake;
    if (awake === undefined) return "";
    const { restore: _, ...told } = awake;
    this.#awake = told;
    if (awake.restore) awake.markTold?.();
    const real = describeSurroundings(awake.sandbox.info);
    const isOther = !this.#hasToldReal && real !== describeSurroundings(this.#told);
    this.#hasToldReal = true;
    const restored = awake.restore ? `[${describeRestore(awake.restore)}]` : "";
    return [restored, isOther ? `[The sandbox is other than was said:\n${real}]` : ""]
      .filter((text) => text !== "")
      .join("\n");
  }
  get isAwake(): boolean {
    return this.#awake !== undefined;
  }

  get state(): string {
    if (this.#awake) return this.#awake.state;
    return this.#hasFailed ? "unavailable" : "waking";
  }

  /** Until it was usable; so far, while it still wakes. */
  get wakeMs(): number {
    return this.#awake?.wakeMs ?? performance.now() - this.#startedAt;
  }

  #begin(): Promise<Awake> {
    const waking = (async () => this.#wake())();
    waking.then(
      (awake) => {
        this.#awake = awake;
      },
      () => {
        this.#hasFailed = true;
      },
    );
    return waking;
  }
}
