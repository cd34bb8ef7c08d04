import { randomUUID } from "node:crypto";
import { vi } from "vitest";
import type { Sandbox } from "../../contract/sandbox.ts";
import { findFirstOf, findOnHost } from "../host-processes.ts";

/** The host's number of the sandbox's first process, for drivers whose sandboxes have a pid namespace on this host. */
export async function findSupervisor(sandbox: Sandbox): Promise<number> {
  const marker = `atoll-${randomUUID()}`;
  const command = await sandbox.commands.spawn(["sh", "-c", "sleep 1000; true", marker]);
  try {
    // A command is there as soon as it is forked, and has its name a moment later.
    return await vi.waitFor(async () => {
      const [inside] = await findOnHost(marker);
      const first = inside === undefined ? undefined : await findFirstOf(inside);
      if (first === undefined) throw new Error("the sandbox has no process of its own on this host");
      return first;
    }, 90_000);
  } finally {
    await command.kill();
  }
}
