import { access, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
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
      const shares = await Promise.all(made.map((sandbox) => readShares(sandbox, dataDir)));
      expect(shares).toEqual(Array(atOnce).fill(version?.usual));
      await Promise.all(made.map((sandbox) => sandbox.destroy()));
    }
  });
});

/**
 * Of the sandbox's own processes, found among the host's by their workspace. It runs nothing for this: a sandbox that has
 * been at work for two seconds gives way by design, and a slow machine takes that long to start a command.
 */
async function readShares(sandbox: Sandbox, dataDir: string): Promise<string> {
  const workspace = await identify(join(dataDir, "local/store/sandboxes", sandbox.id, "workspace"));
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/.test(pid) || (await identify(`/proc/${pid}/root/workspace`)) !== workspace) continue;
    const group = version?.line.exec(await readFile(`/proc/${pid}/cgroup`, "utf8"))?.[1] ?? "";
    return (await readFile(join(version?.base ?? "", group, version?.file ?? ""), "utf8")).trim();
  }
  throw new Error(`no process has ${sandbox.id}'s workspace`);
}

/** Undefined for what is not there, or a process that has ended. */
async function identify(folder: string): Promise<string | undefined> {
  const facts = await stat(folder).catch(() => undefined);
  return facts && `${facts.dev}:${facts.ino}`;
}
