import { randomBytes, randomUUID } from "node:crypto";
import { chooseTimes, type ClusterTimes, type LeaseKey } from "./contract.ts";
import { Directory } from "./directory.ts";
import { type LeaseHooks, Leases } from "./leases.ts";
import { LeaseTable } from "./lease-table.ts";
import { Membership } from "./membership.ts";
import { connectRedis, type Redis } from "./redis.ts";

export interface Member {
  readonly id: string;
  /** Its `url` may be set later. */
  readonly self: { id: string; url: string; machine: string; startedAt: string };
  readonly directory: Directory;
  readonly redis: Redis;
  readonly table: LeaseTable;
  readonly membership: Membership;
  readonly leases: Leases;
  /** What came and went, e.g. `take thread:a`, `lost thread:a`. */
  readonly history: string[];
  /** How often the database was asked what is still this server's. */
  readonly verified: { readonly count: number };
  readonly gone: { readonly dead: readonly string[]; readonly left: readonly string[] }[];
  /** As kill -9: nothing more is said to anybody. */
  die(): void;
  /** The same, as it is when the time of its lease is over. */
  expire(): Promise<void>;
}

const sharedSecret = randomBytes(32);

/** The part of a server that knows of the others, over a real Redis. */
export async function makeMember(
  redisUrl: string,
  options: {
    times?: Partial<ClusterTimes>;
    unknown?: readonly string[];
    url?: string;
    isIdle?: () => boolean;
    /** Default: one that all members in this process share. */
    secret?: Uint8Array;
  } = {},
): Promise<Member> {
  const times = { ...chooseTimes(15_000), settleMs: 0, ...options.times };
  const redis = await connectRedis({ url: redisUrl });
  const table = new LeaseTable(redis, options.secret ?? sharedSecret);
  const self = { id: randomUUID(), url: options.url ?? "http://127.0.0.1:1", machine: "here", startedAt: "" };
  const history: string[] = [];
  const gone: Member["gone"] = [];
  const verified = { count: 0 };
  const hooksOf = (kind: string): LeaseHooks => ({
    onAcquire: async (id) => {
      history.push(`take ${kind}:${id}`);
      return !options.unknown?.includes(id);
    },
    onRelease: async (id, reason) => void history.push(`${reason} ${kind}:${id}`),
    isIdle: options.isIdle ?? (() => true),
  });
  const leases: Leases = new Leases({
    table,
    self: () => self,
    times,
    membership: () => membership,
    hooks: { thread: hooksOf("thread"), sandbox: hooksOf("sandbox") },
    onProblem: () => {},
  });
  const membership = new Membership({
    table,
    self: () => self,
    times,
    leaseKeys: () => leases.keys(),
    verify: async () => void (verified.count += 1),
    onLost: (keys: readonly LeaseKey[]) => keys.forEach((key) => void leases.lose(key)),
    onGone: (servers) => {
      gone.push(servers);
      directory.noteGone([...servers.dead, ...servers.left]);
    },
    onProblem: () => {},
  });
  const directory = new Directory(leases, () => membership.isKnown);
  redis.on("ready", () => void membership.rejoin());
  await membership.join();
  return {
    id: self.id,
    self,
    directory,
    redis,
    table,
    membership,
    leases,
    history,
    verified,
    gone,
    die: () => {
      membership.stop();
      redis.disconnect();
    },
    expire: async () => {
      membership.stop();
      await redis.del(`atoll:server:${self.id}`);
      redis.disconnect();
    },
  };
}
