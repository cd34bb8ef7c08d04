import { connectShared, type SharedServices } from "./redis.ts";
import type { Config } from "../config/index.ts";
import type { Store } from "../store/contract.ts";
import { openStore } from "../store/open.ts";
import type { ResourceLeases } from "./cluster.ts";

/** Where the server keeps things: its store, and Redis if it is configured. */
export interface Storage {
  readonly store: Store;
  readonly shared: SharedServices | undefined;
}

export async function openStorage(
  config: Config,
  options: {
    readonly serverId: string;
    /** The cluster is created after the store, and undefined with one server. */
    readonly threadLeases: () => ResourceLeases | undefined;
  },
): Promise<Storage> {
  const { serverId, threadLeases } = options;
  const store = await openStore({
    ...config,
    temporaryDir: config.sessions.baseDir,
    serverId,
    beforeCreate: async (threadId) => void (await threadLeases()?.claim(threadId, { isNew: true })),
    onLost: (threadId) => void threadLeases()?.lose(threadId),
  });
  if (config.redisUrl === undefined) return { store, shared: undefined };
  try {
    return { store, shared: await connectShared(config.redisUrl, store.secret) };
  } catch (error) {
    await store.close();
    throw error;
  }
}
