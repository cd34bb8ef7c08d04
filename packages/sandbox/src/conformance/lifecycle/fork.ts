import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { ForkOptions, SandboxHandle } from "../../contract/sandbox.ts";
import { evaluate, runOk } from "../run-code.ts";
import { describeAbility, describeInside, refusal, type Suite } from "../suite.ts";

export function describeFork(suite: Suite): void {
  const { create, driver } = suite;
  const { hasContexts, hasProcesses } = describeInside(driver);
  const fork = async (sandbox: SandboxHandle, options?: ForkOptions) => {
    const copy = await sandbox.fork(options);
    onTestFinished(() => copy.destroy().catch(() => undefined));
    return copy;
  };
  const ability = {
    title: "fork",
    isPresent: driver.capabilities.snapshot,
    calls: (sandbox: SandboxHandle) => [sandbox.fork()],
  };
  describeAbility(suite, ability, () => {
    it("gives a second sandbox with the same files and variables, and neither sees the other's changes", async () => {
      const sandbox = await create({ env: { GREETING: "hello" }, labels: { kept: "yes" } });
      await runOk(sandbox, "x = [1]\nimport os\nos.mkdir('d'); open('d/file', 'w').write('then')");
      await sandbox.files.write(`${sandbox.info.paths.artifacts}/result`, "result");
      const copy = await fork(sandbox);
      expect(copy.id).not.toBe(sandbox.id);
      expect([copy.info.labels, copy.info.limits]).toEqual([sandbox.info.labels, sandbox.info.limits]);
      expect(copy.forked).toMatchObject({ lost: [], skippedFiles: [] });
      expect(copy.forked.restored).toEqual(expect.arrayContaining(["x", "os"]));
      await runOk(sandbox, "x.append('first'); open('d/file', 'r+').write('NOW!')");
      await runOk(copy, "x.append('second'); open('d/new', 'w').close()");
      expect(await evaluate(copy, "x, open('d/file').read(), os.environ['GREETING']")).toBe(
        "([1, 'second'], 'then', 'hello')",
      );
      expect(await evaluate(sandbox, "x, os.listdir('d')")).toBe("([1, 'first'], ['file'])");
      expect(await copy.files.readText(`${copy.info.paths.artifacts}/result`)).toBe("result");
      expect(await evaluate(copy, "os.getcwd() == os.environ['HOME']")).toBe("True");
    });

    it("says which variables and files stay behind", async () => {
      const sandbox = await create();
      const makeFifo = hasProcesses ? "import os; os.mkfifo('pipe')" : "";
      await runOk(sandbox, `kept = 1\nlog = open('log', 'w')\n${makeFifo}`);
      const copy = await fork(sandbox);
      expect(copy.forked.lost).toMatchObject([{ name: "log" }]);
      const skipped = hasProcesses ? [{ root: "workspace", path: "pipe" }] : [];
      expect(copy.forked.skippedFiles).toMatchObject(skipped);
      expect(await evaluate(copy, "kept")).toBe("1");
    });

    it("brings every context and the datasets along, from one that was attached to as well", async () => {
      const folder = await mkdtemp(join(tmpdir(), "atoll-fork-"));
      onTestFinished(() => rm(folder, { recursive: true }));
      await writeFile(join(folder, "table.csv"), "a,b\n");
      const sandbox = await create({ datasets: [join(folder, "table.csv")] });
      const context = hasContexts ? "other" : "default";
      if (hasContexts) await sandbox.python.createContext({ name: "other" });
      await runOk(sandbox, "y = 'there'", { context });
      const attached = driver.capabilities.attach
        ? await driver.attach(sandbox.id, { dataDir: suite.dataDir() })
        : sandbox;
      const copy = await fork(attached);
      expect(copy.forked.restored).toContain(hasContexts ? "other/y" : "y");
      expect(await evaluate(copy, "y", { context })).toBe("'there'");
      expect(await copy.files.readText(`${copy.info.paths.data}/table.csv`)).toBe("a,b\n");
    });

    it("takes a name, is refused one that is in use, and leaves nothing behind when it fails", async () => {
      const sandbox = await create();
      const copy = await fork(sandbox, { id: "fork-with-a-name" });
      expect(copy.id).toBe("fork-with-a-name");
      await expect(sandbox.fork({ id: copy.id })).rejects.toMatchObject(refusal("already_exists"));
      await expect(sandbox.fork({ signal: AbortSignal.abort() })).rejects.toMatchObject(refusal("aborted"));
      if (driver.capabilities.pause) {
        await sandbox.pause();
        await expect(sandbox.fork()).rejects.toMatchObject(refusal("sandbox_paused"));
      }
    });
  });
}
