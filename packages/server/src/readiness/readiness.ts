import { AtollError, Sandbox } from "@atoll/sandbox";
import type { ReadinessProbe } from "./sandbox-probe.ts";
import type { Store } from "../store/contract.ts";
import type { Damage } from "../store/damage/damages.ts";

/** What keeps the server from working: each part with its name and, where there is one, the reason. */
export async function findObstacles(
  store: Pick<Store, "checkWritable" | "damages">,
  runtime: string | undefined,
  probe: Pick<ReadinessProbe, "findObstacle">,
  cluster?: { readonly isRedisThere: boolean },
): Promise<readonly Obstacle[]> {
  const trySandboxes = async () => (await Sandbox.unavailableBecause(runtime)) ?? probe.findObstacle();
  const [database, sandbox] = await Promise.all([tryDatabase(store), trySandboxes()]);
  return [
    ...(database === undefined ? [] : [{ name: "database", message: database }]),
    ...(sandbox === undefined ? [] : [{ name: "sandbox", message: sandbox }]),
    ...store.damages.list().map(toObstacle),
    ...(cluster && !cluster.isRedisThere ? [{ name: "redis", message: REDIS_AWAY }] : []),
  ];
}

export interface Obstacle {
  readonly name: string;
  readonly message?: string;
  /** Everything else works. */
  readonly isContained?: boolean;
}

function toObstacle({ message, isContained }: Damage): Obstacle {
  return { name: "damage", message, isContained };
}

const REDIS_AWAY =
  "Redis does not answer. Threads that this server owns still work; new threads and those of other servers have to wait.";

async function tryDatabase(store: Pick<Store, "checkWritable">): Promise<string | undefined> {
  try {
    await store.checkWritable();
    return undefined;
  } catch (error) {
    return error instanceof AtollError ? error.message : "the database cannot be written";
  }
}
