import { AtollError, Sandbox } from "@atoll/sandbox";
import type { Store } from "./store/contract.ts";

/** What keeps the server from answering: each part with its name, and the reason where there is one. */
export async function findObstacles(
  store: Pick<Store, "checkWritable">,
  runtime: string | undefined,
  cluster?: { readonly isRedisThere: boolean },
): Promise<readonly { name: string; message?: string }[]> {
  const [database, sandbox] = await Promise.all([tryDatabase(store), Sandbox.unavailableBecause(runtime)]);
  return [
    ...(database === undefined ? [] : [{ name: "database", message: database }]),
    ...(sandbox === undefined ? [] : [{ name: "sandbox", message: sandbox }]),
    ...(cluster && !cluster.isRedisThere ? [{ name: "redis", message: redisAway }] : []),
  ];
}

const redisAway =
  "Redis does not answer. Threads that this server has go on; new ones, and those of other servers, have to wait.";

async function tryDatabase(store: Pick<Store, "checkWritable">): Promise<string | undefined> {
  try {
    await store.checkWritable();
    return undefined;
  } catch (error) {
    return error instanceof AtollError ? error.message : "the database cannot be written";
  }
}
