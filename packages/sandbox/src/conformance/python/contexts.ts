import { beforeEach, describe, expect, it } from "vitest";
import type { PythonContext } from "../../contract/python.ts";
import type { Sandbox } from "../../contract/sandbox.ts";
import { evaluate, py, runOk, startWaiting, waitFor } from "../run-code.ts";
import { describeInside, expectRefusals, refusal, type Suite } from "../suite.ts";

export function describeContexts({ driver, share }: Suite): void {
  const { hasContexts } = describeInside(driver);

  describe("kernel contexts", () => {
    const shared = share();
    beforeEach(async () => {
      const { python } = shared();
      const others = (await python.contexts()).filter(({ name }) => name !== "default");
      await Promise.all(others.map(({ name }) => python.removeContext(name)));
      await python.restart();
    });

    it("begin with the default one", async () => {
      const sandbox = shared();
      expect(await sandbox.python.contexts()).toEqual([
        { name: "default", isBusy: false, executionCount: 0 },
      ]);
      await runOk(sandbox, "shared = 1");
      expect(await evaluate(sandbox, "shared", { context: "default" })).toBe("1");
    });

    it.runIf(hasContexts)("have variables of their own and share files", async () => {
      const sandbox = shared();
      const { name } = await sandbox.python.createContext({ name: "second" });
      expect(name).toBe("second");
      await runOk(sandbox, "x = 'first'; open('shared.txt', 'w').write('text')");
      await runOk(sandbox, "x = 'second'", { context: name });
      expect(await evaluate(sandbox, "x")).toBe("'first'");
      expect(await evaluate(sandbox, "x, open('shared.txt').read()", { context: name })).toBe(
        "('second', 'text')",
      );
    });

    it.runIf(hasContexts)("get a name of their own when none is given", async () => {
      const sandbox = shared();
      const names = [
        (await sandbox.python.createContext()).name,
        (await sandbox.python.createContext()).name,
      ];
      expect(new Set(["default", ...names]).size).toBe(3);
      expect((await sandbox.python.contexts()).map((context) => context.name).toSorted()).toEqual(
        ["default", ...names].toSorted(),
      );
    });

    it.runIf(hasContexts)("run side by side", async () => {
      const sandbox = shared();
      await sandbox.python.createContext({ name: "other" });
      const gate = `${sandbox.info.paths.workspace}/opened-by-other`;
      // The first ends only if the second runs meanwhile.
      const [first, second] = await Promise.all([
        sandbox.python.run(waitFor(gate), { timeoutMs: 30_000 }),
        sandbox.python.run(`open(${py(gate)}, 'w').close()`, { context: "other" }),
      ]);
      expect([first.status, second.status]).toEqual(["ok", "ok"]);
    });

    it.runIf(!hasContexts)("are refused beyond the first", async () => {
      await expectRefusals("not_supported", [
        shared().python.createContext({ name: "second" }),
        shared().python.createContext(),
      ]);
    });

    it.runIf(!hasContexts)("lose the variables, and no files, by a restart", async () => {
      const sandbox = shared();
      await runOk(sandbox, "x = 1; open('kept.txt', 'w').write('kept')");
      await sandbox.python.restart();
      expect(await contextOf(sandbox, "default")).toMatchObject({ executionCount: 0 });
      expect(await evaluate(sandbox, "'x' in globals(), open('kept.txt').read()")).toBe("(False, 'kept')");
    });

    it("say whether they are busy and how much they have run", async () => {
      const sandbox = shared();
      await runOk(sandbox, "1");
      const run = await startWaiting(sandbox);
      expect(await contextOf(sandbox, "default")).toMatchObject({ isBusy: true });
      await run.release();
      expect(await contextOf(sandbox, "default")).toEqual({
        name: "default",
        isBusy: false,
        executionCount: 2,
      });
    });

    it.runIf(hasContexts)("lose their variables, and nothing else, by a restart", async () => {
      const sandbox = shared();
      await sandbox.python.createContext({ name: "other" });
      await runOk(sandbox, "x = 1; open('kept.txt', 'w').write('kept')");
      await runOk(sandbox, "y = 2", { context: "other" });
      await sandbox.python.restart();
      expect(await contextOf(sandbox, "default")).toMatchObject({ executionCount: 0 });
      expect(await evaluate(sandbox, "'x' in globals(), open('kept.txt').read()")).toBe("(False, 'kept')");
      expect(await evaluate(sandbox, "y", { context: "other" })).toBe("2");
    });

    it("end what they run by a restart", async () => {
      const sandbox = shared();
      const run = await startWaiting(sandbox);
      await sandbox.python.restart("default");
      expect((await run.result).status).toBe("killed");
      expect(await evaluate(sandbox, "1 + 1")).toBe("2");
    });

    it.runIf(hasContexts)("are not touched by a crash of another", async () => {
      const sandbox = shared();
      await sandbox.python.createContext({ name: "other" });
      await runOk(sandbox, "y = 2", { context: "other" });
      expect(await sandbox.python.run("import os; os._exit(1)")).toMatchObject({
        status: "killed",
        kernelRestarted: true,
      });
      expect(await evaluate(sandbox, "y", { context: "other" })).toBe("2");
    });

    it.runIf(hasContexts)("can be removed, also while they run", async () => {
      const sandbox = shared();
      await sandbox.python.createContext({ name: "brief" });
      const run = await startWaiting(sandbox, { context: "brief" });
      await sandbox.python.removeContext("brief");
      expect((await run.result).status).toBe("killed");
      await expect(sandbox.python.run("1", { context: "brief" })).rejects.toMatchObject(refusal("not_found"));
      expect((await sandbox.python.contexts()).map((context) => context.name)).toEqual(["default"]);
    });

    it("that do not exist are not found", async () => {
      const { python } = shared();
      await expectRefusals("not_found", [
        python.run("1", { context: "missing" }),
        python.restart("missing"),
        python.removeContext("missing"),
        python.interrupt("missing"),
      ]);
    });

    it.runIf(hasContexts)("are refused with a name that is taken or is no name", async () => {
      const { python } = shared();
      await expect(python.createContext({ name: "default" })).rejects.toMatchObject(
        refusal("already_exists"),
      );
      const names = ["", "../up", "new\nline", "x".repeat(300)];
      await expectRefusals(
        "invalid_argument",
        names.map((name) => python.createContext({ name })),
      );
    });

    it("always include the default one", async () => {
      const { python } = shared();
      await expect(python.removeContext("default")).rejects.toMatchObject(refusal("invalid_argument"));
    });
  });
}

async function contextOf(sandbox: Sandbox, name: string): Promise<PythonContext | undefined> {
  return (await sandbox.python.contexts()).find((context) => context.name === name);
}
