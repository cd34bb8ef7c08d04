import { AtollError } from "@atoll/sandbox";
import { setTimeout as wait } from "node:timers/promises";
import type { ClusterTimes, LeaseKey, ServerRecord } from "./contract.ts";
import { ElsewhereError } from "./elsewhere-error.ts";
import { makeFence } from "./fence.ts";
import type { LeaseTable } from "./lease-table.ts";
import type { Membership } from "./membership.ts";

/** What is to be done when a thread, or a sandbox, comes to this server or leaves it. */
export interface Holder {
  /** False when there is no such thing. */
  take(id: string): Promise<boolean>;
  /** `lost`: another server has it, nothing may be written any more. `idle`: nothing goes on in it. */
  letGo(id: string, reason: "lost" | "idle"): Promise<void>;
  isIdle(id: string): boolean;
}

export interface Holding {
  readonly key: LeaseKey;
  readonly sinceMs: number;
  /** Rises from owner to owner: with it the guest tells a former owner from the present one. */
  readonly fence: number;
}

export interface HoldingsOptions {
  readonly table: LeaseTable;
  readonly membership: () => Membership;
  readonly self: () => ServerRecord;
  readonly times: ClusterTimes;
  readonly holders: Readonly<Record<"thread" | "sandbox", Holder>>;
  onProblem(error: unknown): void;
}

interface Entry extends Holding {
  state: "coming" | "taken" | "leaving";
  uses: number;
  lastUsedMs: number;
  /** Resolves when it is taken (false: there is no such thing). */
  taking: Promise<boolean>;
  leaving: Promise<void>;
}

export interface HoldOptions {
  /** Nobody can know it yet: there is nothing to take over. */
  readonly isNew?: boolean;
  /** Only if the lease is this server's already. */
  readonly isForwarded?: boolean;
  /** See `claim`. */
  readonly isPart?: boolean;
}

/** What this server has: each thread or sandbox is taken once, used by many, and given back when it is idle. */
export class Holdings {
  readonly #options: HoldingsOptions;
  readonly #entries = new Map<LeaseKey, Entry>();

  constructor(options: HoldingsOptions) {
    this.#options = options;
  }

  leases(): { taken: LeaseKey[]; coming: LeaseKey[] } {
    const entries = [...this.#entries.values()];
    const keysOf = (isMeant: (entry: Entry) => boolean) => entries.filter(isMeant).map(({ key }) => key);
    return {
      taken: keysOf(({ state }) => state === "taken"),
      coming: keysOf(({ state }) => state !== "taken"),
    };
  }

  has(key: LeaseKey): boolean {
    return this.#entries.get(key)?.state === "taken";
  }

  /**
   * Makes sure that this server has it. Undefined when there is no such thing. Rejects with an `ElsewhereError` when
   * another server has it, and with `unavailable` when nobody can say.
   */
  async hold(key: LeaseKey, options: HoldOptions = {}): Promise<Holding | undefined> {
    await this.#options.membership().confirm();
    for (;;) {
      const entry = this.#entries.get(key) ?? this.#begin(key, options);
      if (entry.state === "leaving") {
        if (options.isPart) throw new ElsewhereError(key, undefined);
        await entry.leaving;
        continue;
      }
      if (!(await entry.taking)) return undefined;
      entry.lastUsedMs = performance.now();
      return entry;
    }
  }

  /**
   * The same for a part of what this server does with it: one that is just leaving is refused at once, since its leaving
   * waits for that part.
   */
  async claim(key: LeaseKey): Promise<Holding | undefined> {
    return this.hold(key, { isPart: true });
  }

  /** It is not given back before the returned function is called. */
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

  /** Another server has it, by Redis' word or by the database's. */
  async lose(key: LeaseKey): Promise<void> {
    await this.#leave(this.#entries.get(key), "lost");
  }

  /** Gives back what nothing has gone on in for a while. */
  async releaseIdle(): Promise<void> {
    const before = performance.now() - this.#options.times.idleMs;
    const idle = [...this.#entries.values()].filter(
      (entry) =>
        entry.uses === 0 && entry.lastUsedMs < before && this.#holderOf(entry.key).isIdle(idOf(entry.key)),
    );
    await Promise.all(idle.map((entry) => this.#leave(entry, "idle")));
  }

  /** It is no more: its lease is free. */
  async release(key: LeaseKey): Promise<void> {
    await this.#leave(this.#entries.get(key), "idle");
  }

  #begin(key: LeaseKey, options: HoldOptions): Entry {
    const entry: Entry = {
      key,
      fence: makeFence(),
      sinceMs: Date.now(),
      state: "coming",
      uses: 0,
      lastUsedMs: performance.now(),
      taking: Promise.resolve(false),
      leaving: Promise.resolve(),
    };
    this.#entries.set(key, entry);
    entry.taking = this.#take(entry, options).finally(() => {
      if (entry.state === "coming") this.#entries.delete(key);
    });
    return entry;
  }

  async #take(entry: Entry, { isNew = false, isForwarded = false }: HoldOptions): Promise<boolean> {
    const { table } = this.#options;
    const { id } = this.#options.self();
    const { key } = entry;
    if (isForwarded) await this.#refuseUnlessMine(key);
    await this.#acquire(key, isNew);
    // Only from here on nobody else can have a higher one.
    Object.assign(entry, { fence: makeFence(), sinceMs: Date.now() });
    try {
      const isThere = isNew || (await this.#holderOf(key).take(idOf(key)));
      if (isThere) entry.state = "taken";
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

  async #acquire(key: LeaseKey, isNew: boolean): Promise<void> {
    const { table, self, times } = this.#options;
    for (let tries = 0; tries < maxTries; tries += 1) {
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

  async #leave(entry: Entry | undefined, reason: "lost" | "idle"): Promise<void> {
    if (!entry) return;
    if (entry.state === "leaving") return entry.leaving;
    // One that is just coming has nothing to let go of; the database refuses its first write.
    if (entry.state === "coming") return;
    entry.state = "leaving";
    entry.leaving = this.#letGo(entry, reason).finally(() => this.#entries.delete(entry.key));
    await entry.leaving;
  }

  async #letGo({ key }: Entry, reason: "lost" | "idle"): Promise<void> {
    const { table, self, onProblem } = this.#options;
    await this.#holderOf(key).letGo(idOf(key), reason).catch(onProblem);
    // Also a lost one: by the database's word it is another's, whatever Redis says.
    await table.release(key, self().id).catch(onProblem);
  }

  #holderOf(key: LeaseKey): Holder {
    return this.#options.holders[key.startsWith("thread:") ? "thread" : "sandbox"];
  }
}

const maxTries = 5;

function idOf(key: LeaseKey): string {
  return key.slice(key.indexOf(":") + 1);
}

function unproven(): AtollError {
  return new AtollError(
    "unavailable",
    "Redis names a server that has this and does not prove that it is one of this installation. See that all servers share one data folder and one version, and that nothing else writes to this Redis.",
  );
}

function refuse(cause: unknown): never {
  throw new AtollError(
    "unavailable",
    "Redis is away, so that nobody can say which server has this. Requests for what this server has go on.",
    { cause },
  );
}
