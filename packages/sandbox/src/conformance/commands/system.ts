import { describe, expect, it, vi } from "vitest";
import { evaluate, py, runOk } from "../run-code.ts";
import { describeInside, expectRefusals, type Suite } from "../suite.ts";

const MiB = 1024 * 1024;

export function describeSystem({ driver, create, share }: Suite): void {
  const { hasProcesses } = describeInside(driver);

  describe("env", () => {
    const sandbox = share({ env: { FROM_START: "líne\none", EMPTY: "" } });
    const seen = (name: string) => evaluate(sandbox(), `import os; os.environ.get(${py(name)})`);

    it("holds what the sandbox was created with", async () => {
      expect(await seen("FROM_START")).toBe("'líne\\none'");
      expect(await sandbox().env.get("FROM_START")).toBe("líne\none");
      expect(await sandbox().env.list()).toMatchObject({ FROM_START: "líne\none", EMPTY: "" });
    });

    it("changes for the kernel", async () => {
      await sandbox().env.set({ LATER: "set", FROM_START: null });
      expect([await seen("LATER"), await seen("FROM_START")]).toEqual(["'set'", undefined]);
      expect(await sandbox().env.get("FROM_START")).toBeUndefined();
      expect(Object.keys(await sandbox().env.list())).not.toContain("FROM_START");
    });

    it("changes for a kernel started later", async () => {
      await sandbox().env.set({ LATER: "changed" });
      await sandbox().python.restart();
      expect(await seen("LATER")).toBe("'changed'");
    });

    it.runIf(driver.capabilities.shell)("changes for commands", async () => {
      await sandbox().env.set({ FOR_COMMANDS: "a b" });
      expect((await sandbox().commands.run('echo "$FOR_COMMANDS"')).stdout).toBe("a b\n");
      await sandbox().env.set({ FOR_COMMANDS: null });
      expect((await sandbox().commands.run('echo "<$FOR_COMMANDS>"')).stdout).toBe("<>\n");
    });

    it("refuses names and values that cannot be", async () => {
      const { env } = sandbox();
      await expectRefusals("invalid_argument", [
        env.set({ "A=B": "1" }),
        env.set({ "": "1" }),
        env.set({ A: "nul\0" }),
      ]);
    });
  });

  describe("processes", () => {
    const sandbox = share();

    it("include the kernel and say what it uses", async () => {
      const pid = Number(await evaluate(sandbox(), "import os; os.getpid()"));
      const kernel = (await sandbox().processes.list()).find((process) => process.pid === pid);
      expect(kernel).toBeDefined();
      expect(kernel?.residentBytes).toBeGreaterThan(MiB);
      expect(kernel?.cpuMs).toBeGreaterThanOrEqual(0);
      expect(kernel?.state).toMatch(/\S/);
    });

    it("do not include those of this test", async () => {
      const lines = (await sandbox().processes.list()).map((listed) => listed.commandLine);
      expect(lines.filter((line) => line.includes("vitest"))).toEqual([]);
    });

    it.runIf(!hasProcesses)("are the kernel and no others: none can be started", async () => {
      expect(await sandbox().processes.list()).toHaveLength(1);
      for (const code of [
        "os.fork()",
        "__import__('threading').Thread(target=print).start()",
        startProgram,
      ]) {
        const { status, error } = await sandbox().python.run(`import os; ${code}`);
        expect([status, error?.name]).toEqual(["error", expect.stringMatching(/^(OSError|RuntimeError)$/)]);
      }
    });

    it.runIf(hasProcesses)("can be ended, and are gone", async () => {
      const pid = Number(
        await evaluate(
          sandbox(),
          "import os, signal\npid = os.fork()\nif pid == 0:\n    while True: signal.pause()\npid",
        ),
      );
      expect((await sandbox().processes.list()).map((process) => process.pid)).toContain(pid);
      await sandbox().processes.kill(pid);
      await sandbox().processes.kill(pid);
      expect(await evaluate(sandbox(), "os.WTERMSIG(os.waitpid(pid, 0)[1])")).toBe("9");
      expect((await sandbox().processes.list()).map((process) => process.pid)).not.toContain(pid);
    });

    it.runIf(hasProcesses)("can be sent another signal", async () => {
      await runOk(
        sandbox(),
        "import signal\ncaught = []\nsignal.signal(signal.SIGUSR1, lambda *_: caught.append('SIGUSR1'))",
      );
      await sandbox().processes.kill(Number(await evaluate(sandbox(), "os.getpid()")), {
        signalName: "SIGUSR1",
      });
      await vi.waitFor(async () => expect(await evaluate(sandbox(), "caught")).toBe("['SIGUSR1']"), 90_000);
    });

    it("refuse a number or signal that makes no sense", async () => {
      const { processes } = sandbox();
      await expectRefusals("invalid_argument", [
        processes.kill(1.5),
        processes.kill(999_999, { signalName: "SIGNOTHING" }),
      ]);
      // To the kernel these numbers mean whole groups of processes.
      for (const pid of [0, -1, -2]) {
        await expect(processes.kill(pid)).rejects.toMatchObject({
          code: expect.stringMatching(/^(invalid_argument|permission_denied)$/),
        });
      }
    });
  });

  describe("metrics", () => {
    it("are plausible", async () => {
      const sandbox = await create({ limits: { memoryBytes: 512 * MiB, diskBytes: 64 * MiB } });
      const before = await sandbox.metrics();
      expect(before).toMatchObject({ memoryLimitBytes: 512 * MiB, diskLimitBytes: 64 * MiB });
      expect(before.processes).toBeGreaterThanOrEqual(1);
      expect(before.memoryBytes).toBeGreaterThan(0);
      expect(before.memoryBytes).toBeLessThan(512 * MiB);

      await runOk(
        sandbox,
        "import os\nkept = bytearray(b'x') * (64 << 20)\n_ = open('file', 'wb').write(os.urandom(5 << 20))",
      );
      await runOk(sandbox, "sum(n * n for n in range(3_000_000))");
      const after = await sandbox.metrics();
      expect(after.cpuMs).toBeGreaterThan(before.cpuMs);
      expect(after.memoryBytes - before.memoryBytes).toBeGreaterThan(48 * MiB);
      expect(after.uptimeMs).toBeGreaterThan(before.uptimeMs);
      await vi.waitFor(
        async () =>
          expect((await sandbox.metrics()).diskBytes - before.diskBytes).toBeGreaterThanOrEqual(5 * MiB),
        90_000,
      );
    });
  });
}

const startProgram = "__import__('subprocess').run(['true'])";
