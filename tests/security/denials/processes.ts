import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile, stat, statfs } from "node:fs/promises";
import { release } from "node:os";
import { join } from "node:path";
import { evaluate, findOnHost, runOk, type Suite } from "@atoll/sandbox/conformance";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Kernel } from "./kernels.ts";
import { probe, probeByCommand, probeOnHost } from "./probe.ts";

interface Seen {
  readonly processes: readonly { readonly pid: number; readonly text: string }[];
  readonly descriptors: readonly string[];
}

/** ext4, XFS and btrfs: file systems that take mounts with an id map since Linux 5.15 at the latest. */
const MAPPING_FILE_SYSTEMS: readonly number[] = [0xef53, 0x58465342, 0x9123683e];

export function describeProcessDenials({ create, dataDir, driver, share }: Suite, kernel: Kernel): void {
  describe("reaching other processes:", () => {
    const sandbox = share();
    const marker = `atoll-${randomUUID()}`;
    let hosts: ChildProcess;

    beforeAll(async () => {
      hosts = spawn(process.execPath, ["--eval", "setInterval(() => {}, 1 << 30)", marker], {
        stdio: "ignore",
      });
      await once(hosts, "spawn");
    });
    afterAll(() => hosts.kill("SIGKILL"));

    it("those of the host are not to be seen", async () => {
      const { processes } = await probe<Seen>(sandbox(), "processes");
      expect(processes.filter(({ text }) => text.includes(marker))).toEqual([]);
      expect(
        (await probeOnHost<Seen>("processes")).processes.filter(({ text }) => text.includes(marker)),
      ).toHaveLength(1);
      expect(processes.length).toBeLessThan(10);
    });

    it("those of another sandbox are not to be seen", async () => {
      const victim = await create();
      const command = await victim.commands.spawn(["sh", "-c", "sleep 1000; true", `${marker}-victim`]);
      // A command is there as soon as it is forked, and has its name a moment later.
      if (kernel === "linux") await expect.poll(() => findOnHost(`${marker}-victim`)).not.toEqual([]);
      const { processes } = await probe<Seen>(sandbox(), "processes");
      expect(processes.filter(({ text }) => text.includes(marker))).toEqual([]);
      expect((await command.output()).isRunning).toBe(true);
    });

    it("no descriptor leads out", async () => {
      const allowed = /^\/(workspace|session|tmp|data|dev\/shm|work|memfd:|proc\/\d+\/fd$)/;
      for (const look of [probe, probeByCommand]) {
        const { descriptors } = await look<Seen>(sandbox(), "processes");
        expect(descriptors.filter((path) => !allowed.test(path))).toEqual([]);
      }
    });

    it("a signal to every process ends none outside", async () => {
      const [attacker, victim] = await Promise.all([create(), create()]);
      await runOk(victim, "untouched = 1");
      await attacker.commands.run(["python3", "-c", "import os, signal; os.kill(-1, signal.SIGKILL)"]);
      await attacker.commands.run([
        "python3",
        "-c",
        `import os, signal; os.kill(${hosts.pid}, signal.SIGKILL)`,
      ]);
      expect(await evaluate(victim, "untouched")).toBe("1");
      expect([hosts.exitCode, hosts.signalCode]).toEqual([null, null]);
      expect(await evaluate(attacker, "1 + 1")).toBe("2");
    });

    it("each sandbox of root is a user of its own, where the file system can show its files as that user's", async ({
      skip,
    }) => {
      skip(driver.name !== "local", "containers share one user");
      skip(
        !(await canMapOwners(dataDir())),
        "this needs root, Linux 5.15 and a data folder on ext4, XFS or btrfs",
      );
      expect((await create()).info.capabilities.ownUser).toBe(true);
    });

    it("another sandbox is another user of the host, and neither is the owner of the files", async ({
      skip,
    }) => {
      const sandboxes = [await create(), await create()] as const;
      const haveUsers = sandboxes.every(({ info }) => info.capabilities.ownUser);
      skip(!haveUsers, "all sandboxes are one user here: SECURITY.md, One user, without root");
      const users = await Promise.all(
        sandboxes.map((each) => evaluate(each, "open('/proc/self/uid_map').read().split()[1]")),
      );
      expect(new Set(users).size).toBe(2);
      const owner = (await stat(join(dataDir(), driver.name, "store/sandboxes"))).uid;
      expect(users).not.toContain(`'${owner}'`);
      await runOk(sandboxes[0], "open('made', 'w').close()");
      const made = join(dataDir(), driver.name, "store/sandboxes", sandboxes[0].id, "workspace/made");
      expect((await stat(made)).uid).toBe(owner);
    });

    it("its own first one cannot be read, changed or ended", async () => {
      const attacker = await create();
      await runOk(attacker, "untouched = 1");
      const outcomes = await probe<Record<string, string>>(attacker, "first_process");
      // gVisor shows to every process of a user what another was started with, and the numbers of its descriptors.
      const shown = kernel === "gvisor" ? ["read environment", "list descriptors"] : [];
      const allowed = Object.keys(outcomes).filter((attempt) => outcomes[attempt] === "allowed");
      expect(allowed.filter((attempt) => !shown.includes(attempt))).toEqual([]);
      expect(await evaluate(attacker, "untouched")).toBe("1");
      expect(await attacker.state()).toBe("running");
    });
  });
}

async function canMapOwners(folder: string): Promise<boolean> {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  const isRecent = major > 5 || (major === 5 && minor >= 15);
  // Root of a container need not be root of the machine.
  const users = await readFile("/proc/self/uid_map", "utf8").catch(() => "");
  const isRoot = process.getuid?.() === 0 && /^\s*0\s+0\s+4294967295\s*$/.test(users);
  return isRoot && isRecent && MAPPING_FILE_SYSTEMS.includes((await statfs(folder)).type);
}
