import { hostDriver, localDriver } from "@atoll/sandbox";
import type { Store } from "./store/contract.ts";

/** What keeps the server from answering: each part with its name, and the reason where there is one. */
export async function findObstacles(
  store: Pick<Store, "threads">,
  runtime: string | undefined,
): Promise<readonly { name: string; message?: string }[]> {
  const driver = runtime === "host" || runtime === "none" ? hostDriver : localDriver;
  const [database, sandbox] = [readDatabase(store), await driver.unavailableBecause()];
  return [
    ...(database === undefined ? [] : [{ name: "database", message: database }]),
    ...(sandbox === undefined ? [] : [{ name: "sandbox", message: sandbox }]),
  ];
}

function readDatabase(store: Pick<Store, "threads">): string | undefined {
  try {
    store.threads.count();
    return undefined;
  } catch {
    return "the database cannot be read";
  }
}
