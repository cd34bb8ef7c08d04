import type { Claim } from "@atoll/lifecycle";
import { AtollError, nameMachine } from "@atoll/sandbox";
import type { Ownership } from "../store/contract.ts";
import type { ClusterTimes, LeaseKey, ListedServer, ServerRecord } from "./contract.ts";
import { Directory } from "./directory.ts";
import { makeFence } from "./fence.ts";
import { type Holder, Holdings } from "./leases.ts";
import { LeaseTable } from "./lease-table.ts";
import { Membership } from "./membership.ts";
import type { Redis } from "./redis.ts";
import { Takeover } from "./takeover.ts";

export interface ClusterOptions {
  readonly redis: Redis;
  readonly serverId: string;
  readonly times: ClusterTimes;
  /** Of all servers of this installation: proves that a request comes from one of them. */
  readonly secret: Uint8Array;
  readonly ownership: Pick<Ownership, "unsettledOwners" | "unsettledOf" | "verify">;
  readonly holders: Readonly<Record<"thread" | "sandbox", Holder>>;
  adopt(): Promise<void>;
  onProblem(error: unknown): void;
}

const sweepEveryMs = 30_000;

/** This server among several: what it has, where everything else is, and what others have left. */
export class Cluster {
  readonly directory: Directory;
  readonly #options: ClusterOptions;
  readonly #table: LeaseTable;
  readonly #holdings: Holdings;
  readonly #membership: Membership;
  readonly #takeover: Takeover;
  #self: ServerRecord;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ClusterOptions) {
    const { redis, serverId, times, secret, ownership, holders, onProblem } = options;
    this.#options = options;
    this.#self = { id: serverId, url: "", machine: nameMachine(), startedAt: new Date().toISOString() };
    const self = () => this.#self;
    const table = new LeaseTable(redis, secret);
    this.#table = table;
    const membership = () => this.#membership;
    this.#holdings = new Holdings({ table, membership, self, times, holders, onProblem });
    this.#membership = new Membership({
      table,
      self,
      times,
      leases: () => this.#holdings.leases(),
      verify: () => ownership.verify(),
      onLost: (keys) => keys.forEach((key) => void this.lose(key)),
      onGone: ({ dead, left }) => {
        this.directory.noteGone([...dead, ...left]);
        this.#takeover.request({ dead, isAdopting: true });
      },
      onProblem,
    });
    this.directory = new Directory(this.#holdings, () => this.#membership.isKnown);
    const adopt = () => options.adopt();
    this.#takeover = new Takeover({ table, holdings: this.#holdings, ownership, adopt, onProblem });
    redis.on("ready", () => void this.#membership.rejoin());
  }

  /** From here on this server is known under this address, and takes over what is left. */
  async join(url: string): Promise<void> {
    this.#self = { ...this.#self, url };
    await this.#membership.join();
    this.#takeover.request();
    this.#timer = setInterval(() => void this.sweep(), sweepEveryMs);
  }

  /** Gives back what is idle, and takes what is left over. */
  async sweep(): Promise<void> {
    this.#takeover.request();
    await this.#holdings.releaseIdle().catch(this.#options.onProblem);
  }

  /** Makes a thread this server's, if it is nobody's; a thread that there is not has no lease. */
  async claim(key: LeaseKey, options: { isNew?: boolean } = {}): Promise<Claim> {
    const holding = options.isNew ? await this.#holdings.hold(key, options) : await this.#holdings.claim(key);
    return holding ?? { fence: makeFence(), sinceMs: Date.now() };
  }

  async isElsewhere(key: LeaseKey): Promise<boolean> {
    if (this.#holdings.has(key)) return false;
    const server = await this.#table.locate(key);
    return server !== undefined && server.id !== this.#self.id;
  }

  /** Another server has it. */
  async lose(key: LeaseKey): Promise<void> {
    this.directory.forget(key);
    await this.#holdings.lose(key);
  }

  /** It is no more. */
  async release(key: LeaseKey): Promise<void> {
    await this.#holdings.release(key);
  }

  get isRedisThere(): boolean {
    return this.#membership.isKnown;
  }

  get self(): ServerRecord {
    return this.#self;
  }

  /** For /metrics: what this server knows by itself. */
  count(): { readonly servers: number; readonly threads: number; readonly sandboxes: number } {
    const { taken } = this.#holdings.leases();
    const threads = taken.filter((key) => key.startsWith("thread:")).length;
    return {
      servers: this.#membership.living.length,
      threads,
      sandboxes: taken.length - threads,
    };
  }

  async servers(): Promise<readonly ListedServer[]> {
    try {
      return await this.#table.servers();
    } catch (cause) {
      throw new AtollError("unavailable", "Redis is away, where the servers are known.", { cause });
    }
  }

  /** Takes nothing over any more. What it has stays its own until `leave`. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#takeover.close();
  }

  /** When nothing is being written any more: the others may have everything at once. */
  async leave(): Promise<void> {
    await this.#membership.leave();
    this.#options.redis.disconnect();
  }
}
