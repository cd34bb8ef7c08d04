import { beforeEach, describe, expect, it } from "vitest";
import { evaluate } from "../run-code.ts";
import { describeInside, type Suite } from "../suite.ts";
import { expectUsable } from "./bystander.ts";

export function describeCrashes({ driver, share }: Suite): void {
  // Without a system there are no signals, and address 0 is memory like any other.
  const { hasProcesses } = describeInside(driver);

  describe("a kernel that dies", () => {
    const shared = share();
    beforeEach(() => shared().python.restart());

    it.each<readonly [string, string, number]>([
      ["by os._exit", "import os; os._exit(3)", 3],
      ["by os._exit(0)", "import os; os._exit(0)", 0],
      ["of abort()", "import os; os.abort()", 134],
      ...(hasProcesses
        ? [
            ["of a segmentation fault", "import ctypes; ctypes.string_at(0)", 139] as const,
            ["by its own hand", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)", 137] as const,
          ]
        : []),
    ])("%s is replaced, and the result says so", async (_, code, exitCode) => {
      const sandbox = shared();
      await sandbox.files.write("kept.txt", "yes");
      const result = await sandbox.python.run(`lost = 1\nprint('before', flush=True)\n${code}`, {
        timeoutMs: 30_000,
      });
      expect(result).toMatchObject({ status: "killed", kernelRestarted: true, stdout: "before\n" });
      expect(result.exitCode).toBe(exitCode);
      expect(result.notices.join()).toMatch(/\S/);
      expect(await evaluate(sandbox, "'lost' in globals()")).toBe("False");
      expect(await sandbox.files.readText("kept.txt")).toBe("yes");
      await expectUsable(sandbox);
    });

    it.runIf(!hasProcesses)("of an access outside its memory is replaced", async () => {
      const sandbox = shared();
      const result = await sandbox.python.run("import ctypes; ctypes.string_at(0xfffffff0)");
      expect(result).toMatchObject({ status: "killed", kernelRestarted: true });
      await expectUsable(sandbox);
    });

    it("while it is idle is replaced, and the next run says so", async () => {
      const sandbox = shared();
      await sandbox.processes.kill(Number(await evaluate(sandbox, "import os; left = os.getpid(); left")));
      // Whether the next run comes before or after the death was noticed, its variables are gone.
      const next = await sandbox.python.run("'left' in globals()");
      expect(["ok", "killed"]).toContain(next.status);
      expect(next.kernelRestarted).toBe(true);
      expect(await evaluate(sandbox, "'left' in globals()")).toBe("False");
      await expectUsable(sandbox);
    });

    it("with every descriptor closed is replaced", async () => {
      const sandbox = shared();
      const result = await sandbox.python.run("import os; os.closerange(0, 4096)");
      expect(["ok", "error", "killed"]).toContain(result.status);
      await expectUsable(sandbox);
    });

    it("again and again is replaced each time", async () => {
      const sandbox = shared();
      for (let n = 0; n < 5; n++) {
        expect((await sandbox.python.run("import os; os._exit(1)")).status).toBe("killed");
      }
      await expectUsable(sandbox);
    });
  });
}
