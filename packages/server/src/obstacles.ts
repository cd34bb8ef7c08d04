import { AtollError, Sandbox } from "@atoll/sandbox";
import type { Store } from "./store/contract.ts";

/** What keeps the server from answering: each part with its name, and the reason where there is one. */
export async function findObstacles(
  store: Pick<Store, "checkWritable">,
  runtime: string | undefined,
): Promise<readonly { name: string; message?: string }[]> {
  const [database, sandbox] = [tryDatabase(store), await Sandbox.unavailableBecause(runtime)];
  return [
    ...(database === undefined ? [] : [{ name: "database", message: database }]),
    ...(sandbox === undefined ? [] : [{ name: "sandbox", message: sandbox }]),
  ];
}

function tryDatabase(store: Pick<Store, "checkWritable">): string | undefined {
  try {
    store.checkWritable();
    return undefined;
  } catch (error) {
    return error instanceof AtollError ? error.message : "the database cannot be written";
  }
}
