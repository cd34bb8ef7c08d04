import { setImmediate as nextTurn } from "node:timers/promises";
import type { Sandbox } from "@atoll/sandbox";
import { describeRestore } from "../prompt/restore.ts";
import { describeSandbox, type SandboxFacts } from "../prompt/system.ts";
import type { Awake } from "../request.ts";

/** The thread's sandbox, woken beside the first model call and awaited only by what needs it. */
export class SandboxAccess {
  readonly #wake: () => Promise<Awake>;
  readonly #told: SandboxFacts;
  readonly #startedAt = performance.now();
  #waking: Promise<Awake> | undefined;
  #awake: Awake | undefined;
  #hasFailed = false;
  #hasToldReal = false;
  /** Time that the run stood still for the sandbox. */
  blockedMs = 0;

  /**
   * When it is woken: `now`; `soon`, in the next turn of the event loop, so that a model's request, which the user waits
   * for, leaves first; or when it is `used`.
   */
  constructor(
    wake: () => Promise<Awake>,
    told: SandboxFacts,
    { start = "now" }: { start?: "now" | "soon" | "used" } = {},
  ) {
    this.#wake = wake;
    this.#told = told;
    if (start === "now") this.#waking = this.#begin();
    else if (start === "soon") this.#waking = nextTurn().then(() => this.#begin());
    this.#waking?.catch(() => {});
  }

  async use(): Promise<Sandbox> {
    const startedAt = performance.now();
    try {
      this.#waking ??= this.#begin();
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

  /** It may have rested since: whoever needs it next hears what became of it. To the user it is the wake of before. */
  refresh(): void {
    const known = this.#awake;
    if (known === undefined) return;
    const { state, wakeMs } = known;
    this.#waking = this.#begin((awake) => ({ ...awake, state, wakeMs }));
    this.#waking.catch(() => {});
  }

  /** What the model was not told yet, or was told otherwise. Empty after the first time. */
  takeNews(): string {
    const awake = this.#awake;
    if (awake === undefined) return "";
    const { restore: _, ...told } = awake;
    this.#awake = told;
    if (awake.restore) awake.markTold?.();
    const real = describeSandbox(awake.sandbox.info);
    const isOther = !this.#hasToldReal && real !== describeSandbox(this.#told);
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
    if (this.#waking === undefined) return "unused";
    return this.#hasFailed ? "unavailable" : "waking";
  }

  /** Until it was usable; so far, while it still wakes. */
  get wakeMs(): number {
    if (this.#waking === undefined) return 0;
    return this.#awake?.wakeMs ?? performance.now() - this.#startedAt;
  }

  #begin(see: (awake: Awake) => Awake = (awake) => awake): Promise<Awake> {
    const waking = (async () => see(await this.#wake()))();
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
