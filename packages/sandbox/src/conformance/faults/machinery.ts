import { randomUUID } from "node:crypto";
import type { Sandbox } from "../../contract/sandbox.ts";
import { findFirstOf, findOnHost } from "../host-processes.ts";

/** The host's number of the sandbox's first process, for drivers whose sandboxes have a pid namespace on this host. */
export async function findSupervisor(sandbox: Sandbox): Promise<number> {
  const marker = `atoll-${randomUUID()}`;
  const command = await sandbox.commands.spawn(["sh", "-c", "sleep 1000; true", marker]);
  try {
    const [inside] = await findOnHost(marker);
    const first = inside === undefined ? undefined : await findFirstOf(inside);
    if (first === undefined) throw new Error("the sandbox has no process of its own on this host");
    return first;
  } finally {
    await command.kill();
  }
}
