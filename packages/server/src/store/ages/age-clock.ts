/** Where the clock's reading survives a restart. */
export interface AgeRecord {
  load(): Promise<AgeReading>;
  /** Keeps the higher age: with several servers each moves the same clock. */
  save(reading: AgeReading): Promise<void>;
}

export interface AgeReading {
  readonly ageMs: number;
  /** The clock on the wall at that moment. */
  readonly wallMs: number;
}

export interface AgeTimes {
  wallMs(): number;
  /** Rises steadily, whatever becomes of the clock on the wall. */
  steadyMs(): number;
}

/**
 * The time by which threads age. While a server runs it goes by the steady clock, so that a wall clock that jumps makes
 * nothing older. A stop counts for as long as the wall clock says, at most a day: longer, and nobody knows whether the
 * machine was off or its clock is wrong.
 */
export class AgeClock {
  readonly #record: AgeRecord;
  readonly #times: AgeTimes;
  readonly #startMs: number;
  readonly #startWallMs: number;
  #start: Promise<Start> | undefined;

  constructor(record: AgeRecord, times: AgeTimes = systemTimes) {
    this.#record = record;
    this.#times = times;
    this.#startMs = times.steadyMs();
    this.#startWallMs = times.wallMs();
  }

  /** Moves the clock on. `graceMs`: how long nothing may yet be deleted for its age, since the stop was a long one. */
  async advance(): Promise<{ ageMs: number; graceMs: number }> {
    const { baseMs, isAfterLongStop } = await (this.#start ??= this.#begin());
    const elapsedMs = this.#times.steadyMs() - this.#startMs;
    const ageMs = Math.floor(baseMs + elapsedMs);
    await this.#record.save({ ageMs, wallMs: this.#times.wallMs() });
    return { ageMs, graceMs: isAfterLongStop ? Math.max(0, graceMs - elapsedMs) : 0 };
  }

  async #begin(): Promise<Start> {
    try {
      const { ageMs, wallMs } = await this.#record.load();
      const stoppedMs = Math.max(0, this.#startWallMs - wallMs);
      return { baseMs: ageMs + Math.min(stoppedMs, longestStopMs), isAfterLongStop: stoppedMs > graceMs };
    } catch (error) {
      this.#start = undefined;
      throw error;
    }
  }
}

interface Start {
  readonly baseMs: number;
  readonly isAfterLongStop: boolean;
}

const longestStopMs = 24 * 3_600_000;
/** Time for an operator to see that the clock is wrong, or that the server is back at all. */
const graceMs = 3_600_000;

const systemTimes: AgeTimes = { wallMs: () => Date.now(), steadyMs: () => performance.now() };
