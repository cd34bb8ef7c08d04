import { AtollError } from "@atoll/sandbox";
import { setTimeout as wait } from "node:timers/promises";
import type { ClusterTimes, LeaseKey, ServerRecord } from "./contract.ts";
import type { LeaseTable } from "./lease-table.ts";

export interface MembershipOptions {
  readonly table: LeaseTable;
  readonly self: () => ServerRecord;
  readonly times: ClusterTimes;
  /** `taken`: what this server has; `coming`: what it is about to have, or to give back. */
  leases(): { readonly taken: readonly LeaseKey[]; readonly coming: readonly LeaseKey[] };
  /** Asks the database what is still this server's: whatever Redis says now, it may have been another's meanwhile. */
  verify(): Promise<void>;
  /** Another server has these now. */
  onLost(keys: readonly LeaseKey[]): void;
  /** These died and are not buried, or have left since the last beat. */
  onGone(servers: { readonly dead: readonly string[]; readonly left: readonly string[] }): void;
  onProblem(error: unknown): void;
}

/**
 * This server among the others: says that it lives, registers itself and what it has anew when Redis has forgotten, and
 * notices who is gone.
 */
export class Membership {
  readonly #options: MembershipOptions;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<boolean> | undefined;
  #living: readonly string[] = [];
  #mustReclaim = true;
  #mustVerify = false;
  #isKnown = false;
  #tried = new Instant();

  constructor(options: MembershipOptions) {
    this.#options = options;
  }

  /** The last beat was heard. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  get living(): readonly string[] {
    return this.#living;
  }

  /** False when Redis could not be told: it is tried again with every beat. */
  async join(): Promise<boolean> {
    this.#timer ??= setInterval(() => void this.beat(), this.#options.times.beatMs);
    return this.beat();
  }

  /** Redis is back: it may have forgotten everything. */
  async rejoin(): Promise<void> {
    this.#mustReclaim = true;
    if (this.#timer) await this.beat();
  }

  /**
   * A process that slept may have been given up by the others. Before it goes on it finds out what it still has; if
   * Redis cannot say, nobody can have taken anything since it went away.
   */
  async confirm(): Promise<void> {
    if (this.#timer && this.#tried.ageMs > 2 * this.#options.times.beatMs) await this.beat();
    // An answer that lay waiting while the process slept is as old as its question.
    if (this.#timer && this.#tried.ageMs > 2 * this.#options.times.beatMs) await this.beat();
  }

  beat(): Promise<boolean> {
    this.#beating ??= this.#beat().finally(() => (this.#beating = undefined));
    return this.#beating;
  }

  /** Says nothing more. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Gives everything back at once. */
  async leave(): Promise<void> {
    this.stop();
    await this.#beating;
    await this.#options.table.leave(this.#options.self().id).catch(this.#options.onProblem);
  }

  async #beat(): Promise<boolean> {
    const { table, self, times, onGone, onProblem } = this.#options;
    this.#tried = new Instant();
    try {
      const { wasKnown, leases, living, dead } = await table.beat(self(), times.ttlMs);
      const isDoubtful = !wasKnown || this.#mustReclaim;
      if (isDoubtful || leases !== this.#options.leases().taken.length) await this.#reclaim();
      this.#mustVerify ||= isDoubtful;
      if (this.#mustVerify) await this.#verify();
      this.#isKnown = true;
      const left = this.#living.filter((id) => !living.includes(id) && !dead.includes(id));
      this.#living = living;
      if (dead.length > 0 || left.length > 0) onGone({ dead, left });
      return true;
    } catch (error) {
      // Told once an outage.
      if (this.#isKnown) onProblem(unheard(error));
      this.#isKnown = false;
      await this.#verify();
      return false;
    }
  }

  /** A database that is away, or slow, is asked again with the next beat; meanwhile it takes no write of anybody. */
  async #verify(): Promise<void> {
    const { verify, times } = this.#options;
    const late = new AbortController();
    const asked = verify().then(
      () => true,
      () => false,
    );
    const isVerified = await Promise.race([
      asked,
      wait(times.beatMs, false, { signal: late.signal }).catch(() => false),
    ]);
    late.abort();
    this.#mustVerify = !isVerified;
  }

  async #reclaim(): Promise<void> {
    const { table, onLost } = this.#options;
    const { id } = this.#options.self();
    this.#mustReclaim = false;
    try {
      const lost = await table.reclaim(this.#options.leases().taken, id);
      if (lost.length > 0) onLost(lost);
      const registered = await table.heldBy(id);
      const { taken, coming } = this.#options.leases();
      const known = new Set<string>([...taken, ...coming]);
      for (const key of registered) if (!known.has(key)) await table.release(key as LeaseKey, id);
    } catch (error) {
      this.#mustReclaim = true;
      throw error;
    }
  }
}

function unheard(cause: unknown): AtollError {
  const words = cause instanceof Error ? cause.message : String(cause);
  return new AtollError(
    "unavailable",
    `Redis does not hear this server, which goes on with what it has (${words})`,
    { cause },
  );
}

/** A moment, by both clocks: one stands still while the machine sleeps, the other can be set. */
class Instant {
  readonly #monotonicMs = performance.now();
  readonly #wallMs = Date.now();

  get ageMs(): number {
    return Math.max(performance.now() - this.#monotonicMs, Date.now() - this.#wallMs);
  }
}
