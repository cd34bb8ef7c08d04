import type { StoredEvent } from "@atoll/client";
import { expect, onTestFinished } from "vitest";
import type { Installation } from "../../support/installation.ts";
import type { ServerProcess } from "../../support/server-process.ts";

/** Two servers for one test, which ends with them. Where nobody is to be given up, a busy machine has time enough. */
export async function startTwo(
  installation: Installation,
  { leaseS = 2 } = {},
): Promise<[ServerProcess, ServerProcess]> {
  const env = { ATOLL_LEASE_S: String(leaseS) };
  const servers = await Promise.all([installation.start(env), installation.start(env)]);
  onTestFinished(async () => {
    for (const server of servers) server.child.kill("SIGCONT");
    await installation.folder.stop();
  });
  return servers;
}

/** What a server says that it has. */
export async function countLeases({ url }: ServerProcess): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^atoll_cluster_leases\{kind="thread"\} (\d+)$/m.exec(metrics)?.[1]);
}

/** Every message of a log is answered once, and every id is given once. */
export function expectWholeLog(log: readonly StoredEvent[]): void {
  const messages = log.filter((event) => event.type === "message").map((event) => event.message_id);
  const done = log.filter((event) => event.type === "done").map((event) => event.message_id);
  expect(done.toSorted()).toEqual(messages.toSorted());
  const runs = log.filter((event) => event.type === "done").map((event) => event.run_id);
  expect(new Set(runs).size).toBe(runs.length);
  const ids = log.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => one - other));
}
