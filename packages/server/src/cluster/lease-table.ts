import type { Acquired, LeaseKey, ListedServer, ServerRecord } from "./contract.ts";
import {
  acquireScript,
  beatScript,
  forgetScript,
  leaveScript,
  locateScript,
  reclaimScript,
  releaseScript,
} from "./lease-scripts.ts";
import type { Redis, Script } from "./redis.ts";
import { openRecord, sealRecord } from "./server-record.ts";

export interface Beat {
  /** False at the first heartbeat and after Redis has lost this server. */
  readonly wasKnown: boolean;
  readonly leases: number;
  readonly living: readonly string[];
  /** Their heartbeat has ended, and no server has removed them yet. */
  readonly dead: readonly string[];
}

/** Servers and leases in Redis. Every method rejects when Redis is not reachable. */
export class LeaseTable {
  readonly #redis: Redis;
  readonly #secret: Uint8Array;
  readonly #prefix: string;

  /** `secret` belongs to the installation; records without its signature are ignored. */
  constructor(redis: Redis, secret: Uint8Array, prefix = "atoll:") {
    this.#redis = redis;
    this.#secret = secret;
    this.#prefix = prefix;
  }

  /** The heartbeat. */
  async beat(self: ServerRecord, ttlMs: number): Promise<Beat> {
    const answer = await this.#run(beatScript, self.id, sealRecord(self, this.#secret, ttlMs), ttlMs);
    const [wasKnown, leases, living, dead] = answer as [number, number, string[], string[]];
    return { wasKnown: wasKnown === 1, leases, living, dead };
  }

  async acquire(key: LeaseKey, serverId: string, settleMs: number): Promise<Acquired> {
    const [kind, detail] = (await this.#run(acquireScript, serverId, key, settleMs)) as [string, unknown];
    if (kind === "settling") return { kind, waitMs: Math.min(Number(detail), settleMs) };
    if (kind !== "theirs") return { kind: kind as "mine" | "unregistered" };
    const server = openRecord(detail, this.#secret);
    return server ? { kind, server } : { kind: "unproven" };
  }

  /** Registers this server's leases again after Redis was away. Returns those that another server took meanwhile. */
  async reclaim(keys: readonly LeaseKey[], serverId: string): Promise<readonly LeaseKey[]> {
    const lost: LeaseKey[] = [];
    for (let start = 0; start < keys.length; start += 500) {
      const page = keys.slice(start, start + 500);
      lost.push(...((await this.#run(reclaimScript, serverId, ...page)) as LeaseKey[]));
    }
    return lost;
  }

  /** The live server of this installation that holds the lease. */
  async locate(key: LeaseKey): Promise<ServerRecord | undefined> {
    return openRecord(await this.#run(locateScript, key), this.#secret);
  }

  async release(key: LeaseKey, serverId: string): Promise<void> {
    await this.#run(releaseScript, serverId, key);
  }

  /** Frees all leases of a server that shuts down. */
  async leave(serverId: string): Promise<void> {
    await this.#run(leaveScript, serverId);
  }

  /** Removes a dead server with all its leases. False when it is alive. */
  async forget(serverId: string): Promise<boolean> {
    return (await this.#run(forgetScript, serverId)) === 1;
  }

  /** The leases that Redis has for a server, which may be dead. */
  heldBy(serverId: string): Promise<readonly string[]> {
    return this.#redis.smembers(`${this.#prefix}held:${serverId}`);
  }

  async servers(): Promise<readonly ListedServer[]> {
    const ids = await this.#redis.smembers(`${this.#prefix}servers`);
    return Promise.all(
      ids.toSorted().map(async (id) => {
        const [record, held] = await Promise.all([
          this.#redis.get(`${this.#prefix}server:${id}`),
          this.heldBy(id),
        ]);
        const known = openRecord(record, this.#secret);
        const threads = held.filter((key) => key.startsWith("thread:")).length;
        return {
          ...(known ?? { id, url: "", machine: "", startedAt: "" }),
          isAlive: known !== undefined,
          threads,
          sandboxes: held.length - threads,
        };
      }),
    );
  }

  #run(script: Script, ...args: readonly (string | number)[]): Promise<unknown> {
    return script.run(this.#redis, [this.#prefix, ...args]);
  }
}
