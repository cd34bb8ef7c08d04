import { beforeEach, describe, expect, it } from "vitest";
import { evaluate, runOk } from "../run-code.ts";
import { describeInside, type Suite } from "../suite.ts";
import { expectUsable } from "./bystander.ts";

export function describeHangs({ driver, share }: Suite): void {
  const { hasProcesses } = describeInside(driver);

  describe("code that never ends", () => {
    const shared = share();
    beforeEach(() => shared().python.restart());

    it("is interrupted in an endless loop", async () => {
      const sandbox = shared();
      await runOk(sandbox, "kept = 'yes'");
      expect(await sandbox.python.run("while True: pass", { timeoutMs: 300 })).toMatchObject({
        status: "timeout",
        kernelRestarted: false,
      });
      expect(await evaluate(sandbox, "kept")).toBe("'yes'");
      await expectUsable(sandbox);
    });

    it.each([
      ["in C code that never looks at signals", "sum(iter(int, 1))"],
      [
        "in C code that holds the interpreter",
        "import collections, itertools; collections.deque(itertools.repeat(1), maxlen=0)",
      ],
      [
        "with SIGINT ignored",
        "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass",
      ],
      ...(hasProcesses ? withSignalsBlocked : []),
    ])("costs the kernel, not the sandbox, %s", async (_, code) => {
      const sandbox = shared();
      await sandbox.files.write("kept.txt", "yes");
      const result = await sandbox.python.run(code, { timeoutMs: 300 });
      expect(result).toMatchObject({ status: "timeout", kernelRestarted: true });
      expect(result.notices.join()).toMatch(/\S/);
      expect(await sandbox.files.readText("kept.txt")).toBe("yes");
      await expectUsable(sandbox);
    });

    it.runIf(hasProcesses)("is ended in a thread it left behind", async () => {
      const sandbox = shared();
      await runOk(
        sandbox,
        "import threading\ndef spin():\n    while True: pass\nthreading.Thread(target=spin).start()",
      );
      await expectUsable(sandbox);
      await sandbox.python.restart();
      await expectUsable(sandbox);
    });

    it.runIf(driver.capabilities.shell)("is ended in a command", async () => {
      const sandbox = shared();
      const result = await sandbox.commands.run("trap '' INT TERM HUP QUIT; while :; do :; done", {
        timeoutMs: 300,
      });
      expect(result.status).toBe("timeout");
      await expectUsable(sandbox);
    });
  });
}

const withSignalsBlocked = [
  [
    "with SIGINT blocked",
    "import ctypes, signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])\nwhile True: ctypes.CDLL(None).pause()",
  ],
  [
    "with every signal blocked",
    "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\nwhile True: pass",
  ],
];
