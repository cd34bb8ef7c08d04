import { AtollError } from "@atoll/sandbox";
import { setTimeout as wait } from "node:timers/promises";
import type { ClusterTimes, LeaseKey, ServerRecord } from "./contract.ts";
import type { LeaseTable } from "./lease-table.ts";

export interface MembershipOptions {
  readonly table: LeaseTable;
  readonly self: () => ServerRecord;
  readonly times: ClusterTimes;
  /** `pending` leases are being acquired or released. */
  leaseKeys(): { readonly held: readonly LeaseKey[]; readonly pending: readonly LeaseKey[] };
  /** Asks the database what this server still owns: whatever Redis says now, another server may have owned it meanwhile. */
  verify(): Promise<void>;
  /** Another server holds these now. */
  onLost(keys: readonly LeaseKey[]): void;
  /** `dead` servers have not been removed yet; `left` ones have gone since the last heartbeat. */
  onGone(servers: { readonly dead: readonly string[]; readonly left: readonly string[] }): void;
  onProblem(error: unknown): void;
}

/**
 * This server's heartbeat. Registers the server and its leases again when Redis has lost them, and notices servers that
 * are gone.
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

  /** Whether Redis answered the last heartbeat. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  get living(): readonly string[] {
    return this.#living;
  }

  /** False when Redis is not reachable. Every heartbeat tries again. */
  async join(): Promise<boolean> {
    this.#timer ??= setInterval(() => void this.beat(), this.#options.times.beatMs);
    return this.beat();
  }

  /** Call it when Redis is back: it may have lost everything. */
  async rejoin(): Promise<void> {
    this.#mustReclaim = true;
    if (this.#timer) await this.beat();
  }

  /**
   * Other servers may have taken over from a process that slept. Before it continues it checks what it still owns; while
   * Redis is away no server can have taken anything.
   */
  async confirm(): Promise<void> {
    if (this.#timer && this.#tried.ageMs > 2 * this.#options.times.beatMs) await this.beat();
    // A reply that arrived while the process slept is as old as its request.
    if (this.#timer && this.#tried.ageMs > 2 * this.#options.times.beatMs) await this.beat();
  }

  beat(): Promise<boolean> {
    this.#beating ??= this.#beat().finally(() => (this.#beating = undefined));
    return this.#beating;
  }

  /** Stops the heartbeat. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Frees all leases at once. */
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
      if (isDoubtful || leases !== this.#options.leaseKeys().held.length) await this.#reclaim();
      this.#mustVerify ||= isDoubtful;
      if (this.#mustVerify) await this.#verify();
      this.#isKnown = true;
      const left = this.#living.filter((id) => !living.includes(id) && !dead.includes(id));
      this.#living = living;
      if (dead.length > 0 || left.length > 0) onGone({ dead, left });
      return true;
    } catch (error) {
      // Reported once per outage.
      if (this.#isKnown) onProblem(unheard(error));
      this.#isKnown = false;
      await this.#verify();
      return false;
    }
  }

  /** Asks a database that is down or slow again with the next heartbeat. It accepts no writes meanwhile. */
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
      const lost = await table.reclaim(this.#options.leaseKeys().held, id);
      if (lost.length > 0) onLost(lost);
      const registered = await table.heldBy(id);
      const { held, pending } = this.#options.leaseKeys();
      const known = new Set<string>([...held, ...pending]);
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
    `Redis is not reachable. This server keeps serving what it owns (${words})`,
    { cause },
  );
}

/** A moment on two clocks: one stops while the machine sleeps, the other can be set. */
class Instant {
  readonly #monotonicMs = performance.now();
  readonly #wallMs = Date.now();

  get ageMs(): number {
    return Math.max(performance.now() - this.#monotonicMs, Date.now() - this.#wallMs);
  }
}
