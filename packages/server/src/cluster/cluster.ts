import type { ThreadLease } from "@atoll/lifecycle";
import { AtollError, nameMachine } from "@atoll/sandbox";
import type { Ownership } from "../store/contract.ts";
import type { ClusterTimes, LeaseKey, ListedServer, ServerRecord } from "./contract.ts";
import { Directory } from "./directory.ts";
import { makeFence } from "./fence.ts";
import { type LeaseHooks, Leases } from "./leases.ts";
import { LeaseTable } from "./lease-table.ts";
import { Membership } from "./membership.ts";
import type { Redis } from "./redis.ts";
import { Takeover } from "./takeover.ts";

export interface ClusterOptions {
  readonly redis: Redis;
  readonly serverId: string;
  readonly times: ClusterTimes;
  /** Shared by all servers of this installation; signs their records in Redis. */
  readonly secret: Uint8Array;
  readonly ownership: Pick<Ownership, "unsettledOwners" | "unsettledOf" | "verify">;
  readonly hooks: Readonly<Record<"thread" | "sandbox", LeaseHooks>>;
  adopt(): Promise<void>;
  onProblem(error: unknown): void;
}

const SWEEP_INTERVAL_MS = 30_000;

/** One server among several: which leases it holds, where everything else is, and what dead servers left behind. */
export class Cluster {
  readonly directory: Directory;
  readonly #options: ClusterOptions;
  readonly #table: LeaseTable;
  readonly #leases: Leases;
  readonly #membership: Membership;
  readonly #takeover: Takeover;
  #self: ServerRecord;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ClusterOptions) {
    const { redis, serverId, times, secret, ownership, hooks, onProblem } = options;
    this.#options = options;
    this.#self = { id: serverId, url: "", machine: nameMachine(), startedAt: new Date().toISOString() };
    const self = () => this.#self;
    const table = new LeaseTable(redis, secret);
    this.#table = table;
    const membership = () => this.#membership;
    this.#leases = new Leases({ table, membership, self, times, hooks, onProblem });
    this.#membership = new Membership({
      table,
      self,
      times,
      leaseKeys: () => this.#leases.keys(),
      verify: () => ownership.verify(),
      onLost: (keys) => keys.forEach((key) => void this.lose(key)),
      onGone: ({ dead, left }) => {
        this.directory.noteGone([...dead, ...left]);
        this.#takeover.request({ dead, isAdopting: true });
      },
      onProblem,
    });
    this.directory = new Directory(this.#leases, () => this.#membership.isKnown);
    const adopt = () => options.adopt();
    this.#takeover = new Takeover({ table, leases: this.#leases, ownership, adopt, onProblem });
    redis.on("ready", () => void this.#membership.rejoin());
  }

  /** Registers this server under its address and takes over what dead servers left behind. */
  async join(url: string): Promise<void> {
    this.#self = { ...this.#self, url };
    await this.#membership.join();
    this.#takeover.request();
    this.#timer = setInterval(() => void this.sweep(), SWEEP_INTERVAL_MS);
  }

  /** Releases idle leases and takes over what dead servers left behind. */
  async sweep(): Promise<void> {
    this.#takeover.request();
    await this.#leases.releaseIdle().catch(this.#options.onProblem);
  }

  /** Acquires the lease unless another server holds it. What does not exist has no lease. */
  async claim(key: LeaseKey, options: { isNew?: boolean } = {}): Promise<ThreadLease> {
    const lease = options.isNew ? await this.#leases.acquire(key, options) : await this.#leases.claim(key);
    return lease ?? { fence: makeFence(), sinceMs: Date.now() };
  }

  async isElsewhere(key: LeaseKey): Promise<boolean> {
    if (this.#leases.has(key)) return false;
    const server = await this.#table.locate(key);
    return server !== undefined && server.id !== this.#self.id;
  }

  /** Drops what another server owns now. */
  async lose(key: LeaseKey): Promise<void> {
    this.directory.forget(key);
    await this.#leases.lose(key);
  }

  /** Frees the lease of what has been deleted. */
  async release(key: LeaseKey): Promise<void> {
    await this.#leases.release(key);
  }

  get isRedisThere(): boolean {
    return this.#membership.isKnown;
  }

  get self(): ServerRecord {
    return this.#self;
  }

  /** For /metrics, without asking Redis. */
  count(): { readonly servers: number; readonly threads: number; readonly sandboxes: number } {
    const { held } = this.#leases.keys();
    const threads = held.filter((key) => key.startsWith("thread:")).length;
    return {
      servers: this.#membership.living.length,
      threads,
      sandboxes: held.length - threads,
    };
  }

  async servers(): Promise<readonly ListedServer[]> {
    try {
      return await this.#table.servers();
    } catch (cause) {
      throw new AtollError("unavailable", "Redis is not reachable, so the servers cannot be listed.", {
        cause,
      });
    }
  }

  /** Stops taking over. The leases stay until `leave`. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#takeover.close();
  }

  /** Frees all leases at once. Call it when this server writes nothing any more. */
  async leave(): Promise<void> {
    await this.#membership.leave();
    this.#options.redis.disconnect();
  }
}
