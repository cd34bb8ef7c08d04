import { describe, expect, it } from "vitest";
import { evaluate, runOk, startWaiting } from "../run-code.ts";
import { refusal, type Suite } from "../suite.ts";

export function describeInterruption({ driver, create, share }: Suite): void {
  describe("stopping a run", () => {
    const sandbox = share();

    it.each([
      ["a loop", "while True: pass"],
      ["a sleep", "import time; time.sleep(1000)"],
      ["an await", "import asyncio; await asyncio.sleep(1000)"],
      ...(driver.capabilities.shell
        ? [["a child process", "import subprocess; subprocess.run(['sleep', '1000'])"]]
        : []),
    ])("ends %s when its time is up, and keeps the variables", async (_, code) => {
      await runOk(sandbox(), "kept = 'yes'");
      const result = await sandbox().python.run(code, { timeoutMs: 300 });
      expect(result).toMatchObject({ status: "timeout", kernelRestarted: false });
      expect(result.exitCode).not.toBe(0);
      expect(await evaluate(sandbox(), "kept")).toBe("'yes'");
    });

    it("keeps the output of a run whose time was up", async () => {
      const run = await startWaiting(sandbox(), { before: "print('early')", timeoutMs: 2000 });
      expect(await run.result).toMatchObject({ status: "timeout", stdout: "early\nat the gate\n" });
    });

    it("ends a run that catches every exception", async () => {
      const code = "while True:\n    try:\n        while True: pass\n    except BaseException: pass";
      expect(await sandbox().python.run(code, { timeoutMs: 300 })).toMatchObject({ status: "timeout" });
      expect(await evaluate(sandbox(), "1 + 1")).toBe("2");
    });

    it("obeys the sandbox's own time limit", async () => {
      const hasty = await create({ limits: { timeoutMs: 300 } });
      expect((await hasty.python.run("while True: pass")).status).toBe("timeout");
      expect(await evaluate(hasty, "1 + 1")).toBe("2");
    });

    it("reports a run as killed when its signal aborts, and keeps the variables", async () => {
      const abort = new AbortController();
      const run = await startWaiting(sandbox(), { before: "kept = 'through abort'", signal: abort.signal });
      abort.abort();
      expect(await run.result).toMatchObject({ status: "killed", kernelRestarted: false });
      expect(await evaluate(sandbox(), "kept")).toBe("'through abort'");
    });

    it("does not start when the signal has aborted already", async () => {
      const call = sandbox().python.run("started_anyway = True", { signal: AbortSignal.abort() });
      await expect(call).rejects.toMatchObject(refusal("aborted"));
      expect(await evaluate(sandbox(), "'started_anyway' in globals()")).toBe("False");
    });

    it("interrupts as Ctrl-C would", async () => {
      const run = await startWaiting(sandbox(), { before: "kept = 'through interrupt'" });
      await sandbox().python.interrupt();
      expect(await run.result).toMatchObject({
        error: { name: "KeyboardInterrupt" },
        kernelRestarted: false,
      });
      expect(await evaluate(sandbox(), "kept")).toBe("'through interrupt'");
    });

    it("lets code handle an interrupt", async () => {
      // Waits in a loop of its own instead of at the gate.
      const before =
        "try:\n    print('at the gate', flush=True)\n    while True: pass\nexcept KeyboardInterrupt:\n    print('tidied up')\nraise SystemError('handled')";
      const run = await startWaiting(sandbox(), { before });
      await sandbox().python.interrupt();
      const result = await run.result;
      expect(result.stdout).toBe("at the gate\ntidied up\n");
      expect(result.error?.name).toBe("SystemError");
    });

    it("does nothing to an idle kernel", async () => {
      await sandbox().python.interrupt();
      await sandbox().python.interrupt("default");
      expect(await evaluate(sandbox(), "sum(range(10 ** 6))")).toBe("499999500000");
    });
  });

  describe("runs of one context", () => {
    const sandbox = share();

    it("wait their turn, in order", async () => {
      const first = await startWaiting(sandbox(), { before: "order = ['first']" });
      const rest = ["second", "third", "fourth"].map((name) => runOk(sandbox(), `order.append('${name}')`));
      await first.release();
      await Promise.all(rest);
      expect(await evaluate(sandbox(), "order")).toBe("['first', 'second', 'third', 'fourth']");
    });

    it("leave the queue when their signal aborts", async () => {
      const abort = new AbortController();
      const first = await startWaiting(sandbox());
      const queued = sandbox().python.run("ran_anyway = True", { signal: abort.signal });
      abort.abort();
      await expect(queued).rejects.toMatchObject(refusal("aborted"));
      expect((await first.release()).status).toBe("ok");
      expect(await evaluate(sandbox(), "'ran_anyway' in globals()")).toBe("False");
    });

    it("go on after one of them failed", async () => {
      const first = await startWaiting(sandbox(), { after: "1 / 0" });
      const second = evaluate(sandbox(), "'second ran'");
      expect((await first.release()).status).toBe("error");
      expect(await second).toBe("'second ran'");
    });

    it("are told apart by their output", async () => {
      const outputs = await Promise.all([1, 2, 3].map((n) => runOk(sandbox(), `print('run ${n}')`)));
      expect(outputs.map((result) => result.stdout)).toEqual(["run 1\n", "run 2\n", "run 3\n"]);
    });
  });
}
