import { rejectOnAbort } from "@atoll/std";
import type { Preparation } from "./prepare.ts";
import type { Seat } from "./seat.ts";

interface GripParts {
  readonly threadId: string;
  readonly seat: Seat;
  readonly preparation: Pick<Preparation, "hold">;
  /** Of the run's end. */
  readonly signal: AbortSignal;
}

/** What a run holds while it works: its place among the runs, and its sandbox awake. */
export class Grip {
  readonly #parts: GripParts;
  #letRest: (() => void) | undefined;
  #isLoose = false;

  constructor(parts: GripParts) {
    this.#parts = parts;
  }

  /** It waits for a user and holds nothing. */
  get isLoose(): boolean {
    return this.#isLoose;
  }

  holdSandbox(): void {
    this.#letRest ??= this.#parts.preparation.hold(this.#parts.threadId);
  }

  letSandboxGo(): void {
    this.#letRest?.();
    this.#letRest = undefined;
  }

  /** Holds nothing until this has come; then waits for a place to go on. */
  async loosen<Result>(waiting: Promise<Result>): Promise<Result> {
    const { seat, signal } = this.#parts;
    const hadSandbox = this.#letRest !== undefined;
    this.#isLoose = true;
    this.letSandboxGo();
    seat.leave();
    try {
      return await waiting;
    } finally {
      await rejectOnAbort(seat.comeBack(), signal).catch(() => {});
      this.#isLoose = false;
      if (hadSandbox && !signal.aborted) this.holdSandbox();
    }
  }
}
