import { randomUUID } from "node:crypto";
import { access, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { describeIf } from "../../../../../../tests/support/requirements.ts";
import type { Sandbox } from "../../../contract/sandbox.ts";
import { localDriver } from "../../local/driver.ts";

const rounds = 4;
const atOnce = 8;
/** Where the weight of a group is, what every group has at first, and its line in `/proc/<pid>/cgroup`. */
const versions = [
  { base: "/sys/fs/cgroup/cpu", file: "cpu.shares", usual: "1024", line: /^\d+:[\w,]*\bcpu\b[\w,]*:(.*)$/m },
  { base: "/sys/fs/cgroup", file: "cpu.weight", usual: "100", line: /^0::(.*)$/m },
];
const isV1 = await access("/sys/fs/cgroup/cpu/cpu.shares").then(
  () => true,
  () => false,
);
const controllers = await readFile("/sys/fs/cgroup/cgroup.subtree_control", "utf8").catch(() => "");
const version = isV1 ? versions[0] : /\bcpu\b/.test(controllers) ? versions[1] : undefined;
const missing = version ? undefined : "this machine has no control groups for processors";

describeIf({ suite: "sandboxes that are asked for many at once", missing, isRequired: false }, () => {
  // Those that are parked give way to all others: one that was wanted before it had got there must not go on with it.
  it("have the processors to themselves like any other", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "atoll-many-"));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));
    for (let round = 0; round < rounds; round += 1) {
      const made = await Promise.all(Array.from({ length: atOnce }, () => localDriver.create({ dataDir })));
      expect(await Promise.all(made.map(readShares))).toEqual(Array(atOnce).fill(version?.usual));
      await Promise.all(made.map((sandbox) => sandbox.destroy()));
    }
  });
});

/** Of a program inside, found among the host's by its name. */
async function readShares(sandbox: Sandbox): Promise<string> {
  const name = randomUUID();
  await sandbox.commands.spawn(`exec -a ${name} sleep 1000`);
  const path = await vi.waitFor(async () => {
    const found = await findGroup(name);
    if (found === undefined) throw new Error("not started yet");
    return found;
  }, 90_000);
  return (await readFile(join(version?.base ?? "", path, version?.file ?? ""), "utf8")).trim();
}

async function findGroup(name: string): Promise<string | undefined> {
  for (const pid of await readdir("/proc")) {
    const command = /^\d+$/.test(pid) ? await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "") : "";
    if (!command.startsWith(name)) continue;
    const groups = await readFile(`/proc/${pid}/cgroup`, "utf8").catch(() => "");
    return version?.line.exec(groups)?.[1];
  }
  return undefined;
}
