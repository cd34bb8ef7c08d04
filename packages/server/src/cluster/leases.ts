import { AtollError } from "@atoll/sandbox";
import { setTimeout as wait } from "node:timers/promises";
import type { ClusterTimes, LeaseKey, ServerRecord } from "./contract.ts";
import { ElsewhereError } from "./elsewhere-error.ts";
import { makeFence } from "./fence.ts";
import type { LeaseTable } from "./lease-table.ts";
import type { Membership } from "./membership.ts";

/** What happens when this server acquires or releases a thread or a sandbox. */
export interface LeaseHooks {
  /** False when it does not exist. */
  onAcquire(id: string): Promise<boolean>;
  /** `lost`: another server owns it, and nothing may be written any more. `idle`: nothing is going on in it. */
  onRelease(id: string, reason: "lost" | "idle"): Promise<void>;
  isIdle(id: string): boolean;
}

export interface Lease {
  readonly key: LeaseKey;
  readonly sinceMs: number;
  /** Rises from owner to owner, so that the guest can tell a former owner from the present one. */
  readonly fence: number;
}

export interface LeasesOptions {
  readonly table: LeaseTable;
  readonly membership: () => Membership;
  readonly self: () => ServerRecord;
  readonly times: ClusterTimes;
  readonly hooks: Readonly<Record<"thread" | "sandbox", LeaseHooks>>;
  onProblem(error: unknown): void;
}

interface Entry extends Lease {
  state: "acquiring" | "held" | "releasing";
  uses: number;
  lastUsedMs: number;
  /** Resolves when the lease is held, with false when there is nothing to hold. */
  acquiring: Promise<boolean>;
  releasing: Promise<void>;
}

export interface AcquireOptions {
  /** Just created: there is nothing to take over. */
  readonly isNew?: boolean;
  /** Only if this server holds the lease already. */
  readonly isForwarded?: boolean;
  /** See `claim`. */
  readonly isPart?: boolean;
}

/** The leases of this server: each is acquired once, used by many requests, and released when idle. */
export class Leases {
  readonly #options: LeasesOptions;
  readonly #entries = new Map<LeaseKey, Entry>();

  constructor(options: LeasesOptions) {
    this.#options = options;
  }

  keys(): { held: LeaseKey[]; pending: LeaseKey[] } {
    const entries = [...this.#entries.values()];
    const keysOf = (isMeant: (entry: Entry) => boolean) => entries.filter(isMeant).map(({ key }) => key);
    return {
      held: keysOf(({ state }) => state === "held"),
      pending: keysOf(({ state }) => state !== "held"),
    };
  }

  has(key: LeaseKey): boolean {
    return this.#entries.get(key)?.state === "held";
  }

  /**
   * Makes sure that this server holds the lease. Undefined when what it is for does not exist. Rejects with an
   * `ElsewhereError` when another server holds it, and with `unavailable` when Redis cannot say.
   */
  async acquire(key: LeaseKey, options: AcquireOptions = {}): Promise<Lease | undefined> {
    await this.#options.membership().confirm();
    for (;;) {
      const entry = this.#entries.get(key) ?? this.#begin(key, options);
      if (entry.state === "releasing") {
        if (options.isPart) throw new ElsewhereError(key, undefined);
        await entry.releasing;
        continue;
      }
      if (!(await entry.acquiring)) return undefined;
      entry.lastUsedMs = performance.now();
      return entry;
    }
  }

  /**
   * The same for work that is part of a use: a lease that is being released is refused at once, since its release waits
   * for that work.
   */
  async claim(key: LeaseKey): Promise<Lease | undefined> {
    return this.acquire(key, { isPart: true });
  }

  /** Keeps the lease until the returned function is called. */
  use(key: LeaseKey): () => void {
    const entry = this.#entries.get(key);
    if (!entry) return () => {};
    entry.uses += 1;
    let isUsed = true;
    return () => {
      if (!isUsed) return;
      isUsed = false;
      entry.uses -= 1;
      entry.lastUsedMs = performance.now();
    };
  }

  /** Redis or the database says that another server owns it. */
  async lose(key: LeaseKey): Promise<void> {
    await this.#releaseOnce(this.#entries.get(key), "lost");
  }

  /** Releases what has been idle for a while. */
  async releaseIdle(): Promise<void> {
    const before = performance.now() - this.#options.times.idleMs;
    const idle = [...this.#entries.values()].filter(
      (entry) =>
        entry.uses === 0 && entry.lastUsedMs < before && this.#hooksOf(entry.key).isIdle(idOf(entry.key)),
    );
    await Promise.all(idle.map((entry) => this.#releaseOnce(entry, "idle")));
  }

  /** Frees the lease of what has been deleted. */
  async release(key: LeaseKey): Promise<void> {
    await this.#releaseOnce(this.#entries.get(key), "idle");
  }

  #begin(key: LeaseKey, options: AcquireOptions): Entry {
    const entry: Entry = {
      key,
      fence: makeFence(),
      sinceMs: Date.now(),
      state: "acquiring",
      uses: 0,
      lastUsedMs: performance.now(),
      acquiring: Promise.resolve(false),
      releasing: Promise.resolve(),
    };
    this.#entries.set(key, entry);
    entry.acquiring = this.#acquire(entry, options).finally(() => {
      if (entry.state === "acquiring") this.#entries.delete(key);
    });
    return entry;
  }

  async #acquire(entry: Entry, { isNew = false, isForwarded = false }: AcquireOptions): Promise<boolean> {
    const { table } = this.#options;
    const { id } = this.#options.self();
    const { key } = entry;
    if (isForwarded) await this.#refuseUnlessMine(key);
    await this.#acquireInRedis(key, isNew);
    // From here on no other server can have a higher one.
    Object.assign(entry, { fence: makeFence(), sinceMs: Date.now() });
    try {
      const isThere = isNew || (await this.#hooksOf(key).onAcquire(idOf(key)));
      if (isThere) entry.state = "held";
      else await table.release(key, id);
      return isThere;
    } catch (error) {
      await table.release(key, id).catch(this.#options.onProblem);
      throw error;
    }
  }

  async #refuseUnlessMine(key: LeaseKey): Promise<void> {
    const { table, self } = this.#options;
    const server = await table.locate(key).catch((cause: unknown) => refuse(cause));
    if (server?.id !== self().id) throw new ElsewhereError(key, server);
  }

  async #acquireInRedis(key: LeaseKey, isNew: boolean): Promise<void> {
    const { table, self, times } = this.#options;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const acquired = await table
        .acquire(key, self().id, isNew ? 0 : times.settleMs)
        .catch((cause: unknown) => refuse(cause));
      if (acquired.kind === "mine") return;
      if (acquired.kind === "theirs") throw new ElsewhereError(key, acquired.server);
      if (acquired.kind === "unproven") throw unproven();
      if (acquired.kind === "settling") await wait(acquired.waitMs);
      else await this.#options.membership().rejoin();
    }
    refuse(undefined);
  }

  async #releaseOnce(entry: Entry | undefined, reason: "lost" | "idle"): Promise<void> {
    if (!entry) return;
    if (entry.state === "releasing") return entry.releasing;
    // One that is being acquired has nothing to release; the database refuses its first write.
    if (entry.state === "acquiring") return;
    entry.state = "releasing";
    entry.releasing = this.#release(entry, reason).finally(() => this.#entries.delete(entry.key));
    await entry.releasing;
  }

  async #release({ key }: Entry, reason: "lost" | "idle"): Promise<void> {
    const { table, self, onProblem } = this.#options;
    await this.#hooksOf(key).onRelease(idOf(key), reason).catch(onProblem);
    // Also when lost: the database says that another server owns it, whatever Redis says.
    await table.release(key, self().id).catch(onProblem);
  }

  #hooksOf(key: LeaseKey): LeaseHooks {
    return this.#options.hooks[key.startsWith("thread:") ? "thread" : "sandbox"];
  }
}

const MAX_TRIES = 5;

function idOf(key: LeaseKey): string {
  return key.slice(key.indexOf(":") + 1);
}

function unproven(): AtollError {
  return new AtollError(
    "unavailable",
    "Redis names an owner that is not a server of this installation. Make sure that all servers share one data folder and one version, and that nothing else writes to this Redis.",
  );
}

function refuse(cause: unknown): never {
  throw new AtollError(
    "unavailable",
    "Redis is not reachable, so the owner is unknown. Requests for what this server owns still work.",
    { cause },
  );
}
