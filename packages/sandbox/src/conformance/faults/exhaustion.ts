import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Sandbox } from "../../contract/sandbox.ts";
import { expectMemoryStop, fillDisk } from "../lifecycle/limits.ts";
import { evaluate } from "../run-code.ts";
import { refusal, type Suite } from "../suite.ts";
import { expectUsable } from "./bystander.ts";

const MiB = 1024 * 1024;

export function describeExhaustion({ driver, create, share }: Suite): void {
  const { isolation, memoryLimit, shell } = driver.capabilities;

  describe("code that takes all it can get", () => {
    const limits = { memoryBytes: 256 * MiB, processes: 48 };
    const shared = share({ limits });
    beforeEach(() => shared().python.restart());

    // Without a limit of its own such a driver leaves memory and processes to the host: a bomb would hit the machine.
    it.runIf(memoryLimit !== "none")("of memory is stopped", async () => {
      const sandbox = shared();
      expectMemoryStop(
        await sandbox.python.run("hoard = []\nwhile True: hoard.append(bytearray(b'x') * (8 << 20))", {
          timeoutMs: 30_000,
        }),
      );
      await expectUsable(sandbox);
    });

    it.runIf(memoryLimit !== "none")("of memory in one piece is stopped", async () => {
      const sandbox = shared();
      expectMemoryStop(await sandbox.python.run("hoard = bytearray(1 << 40)"));
      await expectUsable(sandbox);
    });

    // Each has a sandbox of its own: where the machine cannot count processes, a bomb ends the one it is in.
    it.runIf(isolation)("of processes is stopped", async () => {
      const sandbox = await create({ limits });
      const result = await sandbox.python.run("import os\nwhile True: os.fork()", { timeoutMs: 3000 });
      expect(["error", "killed", "timeout"]).toContain(result.status);
      await expectRecovery(sandbox);
    });

    it.runIf(isolation && shell)("of processes in the shell is stopped", async () => {
      const sandbox = await create({ limits });
      const result = await sandbox.commands.run("bomb() { bomb | bomb & }; bomb; wait; sleep 1000", {
        timeoutMs: 3000,
      });
      expect(["error", "killed", "timeout"]).toContain(result.status);
      await expectRecovery(sandbox);
    });

    it("of output is cut, 1 GB of it", async () => {
      const sandbox = shared();
      const code = "line = 'x' * (1 << 20)\nfor _ in range(1024): print(line)\n'end'";
      const result = await sandbox.python.run(code, { timeoutMs: 100_000 });
      expect(result).toMatchObject({
        status: "ok",
        truncated: { stdout: true },
        results: [{ text: "'end'" }],
      });
      expect(result.stdout.length).toBeLessThanOrEqual(sandbox.info.limits.outputBytes);
      await expectUsable(sandbox);
    });

    it("of output in small pieces is cut", async () => {
      const sandbox = shared();
      const result = await sandbox.python.run(
        "import sys\nfor _ in range(200_000): sys.stdout.write('0123456789\\n'), sys.stderr.write('e\\n')",
        { timeoutMs: 50_000 },
      );
      expect(result).toMatchObject({ status: "ok", truncated: { stdout: true, stderr: false } });
      await expectUsable(sandbox);
    });

    it.runIf(shell)("of output in a command is cut, 1 GB of it", async () => {
      const sandbox = shared();
      const result = await sandbox.commands.run("head -c 1G /dev/zero", { timeoutMs: 100_000 });
      expect(result).toMatchObject({ status: "ok", truncated: { stdout: true } });
      expect(result.stdoutBytes.length).toBeLessThanOrEqual(sandbox.info.limits.outputBytes);
      await expectUsable(sandbox);
    });

    it("of displayed values is cut", async () => {
      const sandbox = shared();
      const result = await sandbox.python.run(
        "for _ in range(200): display({'text/html': 'x' * (1 << 20)}, raw=True)",
        { timeoutMs: 50_000 },
      );
      expect(result).toMatchObject({ status: "ok", truncated: { results: true } });
      await expectUsable(sandbox);
    });

    it.runIf(isolation)("of the disk is stopped, and goes on when there is room", async () => {
      const sandbox = await create({ limits: { diskBytes: 24 * MiB } });
      const result = await sandbox.python.run(fillDisk, { timeoutMs: 50_000 });
      expect(["error", "killed"]).toContain(result.status);
      await expect(sandbox.files.write("full", "x".repeat(26 * MiB))).rejects.toMatchObject(
        refusal("disk_full"),
      );
      expect(await evaluate(sandbox, "1 + 1")).toBe("2");
      await sandbox.files.remove("filler");
      await expectUsable(sandbox);
    });

    it("of kernel contexts is stopped or served", async () => {
      const sandbox = shared();
      const made = await Promise.allSettled(Array.from({ length: 12 }, () => sandbox.python.createContext()));
      for (const outcome of made) {
        if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ name: "AtollError" });
      }
      await expectUsable(sandbox);
    });
  });
}

/** The last of many processes may take a moment to be gone. */
async function expectRecovery(sandbox: Sandbox): Promise<void> {
  await vi.waitFor(async () => {
    expect((await sandbox.processes.list()).length).toBeLessThan(8);
    await expectUsable(sandbox);
  }, 90_000);
}
