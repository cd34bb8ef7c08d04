import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, it, vi } from "vitest";
import { findOnHost } from "../host-processes.ts";
import { evaluate, py, runOk } from "../run-code.ts";
import { type Ability, describeAbility, describeInside, expectRefusals, type Suite } from "../suite.ts";

export function describeEphemeral(suite: Suite): void {
  const { driver, create, share } = suite;
  const { has } = describeInside(driver);
  const sum = has("pandas") ? "__import__('pandas').Series([1]).sum() == 1" : "sum([1]) == 1";
  const ability: Ability = {
    title: "ephemeral mode",
    isPresent: driver.capabilities.ephemeral,
    calls: () => [create({ mode: "ephemeral" })],
  };
  describeAbility(suite, ability, () => {
    const sandbox = share({ mode: "ephemeral", env: { GIVEN: "yes" } });

    it("says so", () => {
      const { mode, paths } = sandbox().info;
      expect(mode).toBe("ephemeral");
      expect(paths.artifacts).toBe("/work/artifacts");
    });

    it("starts every run afresh", async () => {
      const leave = "x = 1\nopen('left.txt', 'w').write('left')\nopen('/tmp/left.txt', 'w').write('left')";
      await runOk(sandbox(), leave);
      const look =
        "import os; ('x' in globals(), os.path.exists('left.txt'), os.path.exists('/tmp/left.txt'))";
      expect(await evaluate(sandbox(), look)).toBe("(False, False, False)");
    });

    it("has the same libraries and environment in every run", async () => {
      for (let n = 0; n < 2; n++) {
        expect(await evaluate(sandbox(), `import os; (os.environ['GIVEN'], ${sum})`)).toMatch(/^\('yes', /);
      }
    });

    it("promotes what a run leaves in its artifacts folder", async () => {
      const path = `${sandbox().info.paths.artifacts}/report.txt`;
      const write = (content: string) => runOk(sandbox(), `open(${py(path)}, 'w').write(${py(content)})`);
      const [one, two] = [await write("first"), await write("second")];
      expect(one.artifacts).toMatchObject([{ path, change: "new", mime: "text/plain" }]);
      expect(two.artifacts).toMatchObject([{ path, change: "new" }]);
      expect(one.artifactMap[path]).not.toBe(two.artifactMap[path] ?? "none");
      for (const [run, content] of [
        [one, "first"],
        [two, "second"],
      ] as const) {
        const hostPath = run.artifactMap[path];
        if (hostPath === undefined) continue;
        expect(hostPath).toContain(`outputs/${run.runId}/`);
        expect(await readFile(hostPath, "utf8")).toBe(content);
      }
    });

    it.runIf(has("matplotlib"))("promotes plots", async () => {
      const code = `import matplotlib.pyplot as plt\nplt.plot([1])\nplt.savefig(${py(`${sandbox().info.paths.artifacts}/plot.png`)})`;
      const result = await runOk(sandbox(), code);
      expect(result.artifacts).toMatchObject([{ mime: "image/png" }]);
      expect(result.results[0]?.png).toBeDefined();
    });

    it("reports errors, crashes and time-outs, and goes on", async () => {
      expect(await sandbox().python.run("1 / 0")).toMatchObject({
        status: "error",
        error: { name: "ZeroDivisionError" },
      });
      expect((await sandbox().python.run("import os; os._exit(1)")).status).toBe("killed");
      expect((await sandbox().python.run("while True: pass", { timeoutMs: 300 })).status).toBe("timeout");
      expect(await evaluate(sandbox(), "1 + 1")).toBe("2");
    });

    it("runs side by side", async () => {
      const answers = await Promise.all([1, 2, 3, 4].map((n) => evaluate(sandbox(), `x = ${n}\nx * x`)));
      expect(answers).toEqual(["1", "4", "9", "16"]);
    });

    it.runIf(driver.capabilities.shell)("leaves no process behind", async () => {
      const marker = `atoll-${randomUUID()}`;
      await runOk(
        sandbox(),
        `import subprocess\nsubprocess.Popen(['sh', '-c', 'sleep 1000; true', '${marker}'], start_new_session=True);`,
      );
      await vi.waitFor(async () => expect(await findOnHost(marker)).toEqual([]), 90_000);
    });

    it("has nothing to save", async () => {
      await expectRefusals("not_supported", [
        sandbox().snapshot(),
        sandbox().restore(),
        sandbox().python.createContext({ name: "other" }),
      ]);
    });

    it("can be destroyed like any other", async () => {
      const brief = await create({ mode: "ephemeral" });
      await brief.destroy();
      await brief.destroy();
      await expectRefusals("sandbox_dead", [brief.python.run("1")]);
    });
  });
}
