import { describe, expect, it } from "vitest";
import type { PythonRunOptions } from "../../contract/python.ts";
import { evaluate, runOk } from "../run-code.ts";
import { describeInside, refusal, type Suite } from "../suite.ts";

export function describePython({ driver, create, share }: Suite): void {
  const { hasMagics, has } = describeInside(driver);

  describe("python.run", () => {
    const sandbox = share();

    it("has the parts of the standard library that need libraries of the system", async () => {
      const result = await sandbox().python.run("import bz2, ctypes, hashlib, lzma, sqlite3, ssl, zlib");
      expect(result.error).toBeUndefined();
    });

    it("adds nothing of its own, however many values it has shown", async () => {
      for (let at = 0; at < 8; at++) {
        const { stderr, results } = await sandbox().python.run(`${at}`);
        expect([stderr, results[0]?.text]).toEqual(["", `${at}`]);
      }
    });

    it("gives the value of the last expression", async () => {
      const result = await sandbox().python.run("answer = 6\nanswer * 7");
      expect(result).toMatchObject({
        status: "ok",
        exitCode: 0,
        stdout: "",
        stderr: "",
        truncated: { stdout: false, stderr: false, results: false },
        results: [{ isMain: true, text: "42" }],
        artifacts: [],
        artifactMap: {},
        kernelRestarted: false,
        notices: [],
      });
      expect(result.error).toBeUndefined();
      expect(result.runId).toMatch(/\S/);
      expect(result.durationMs).toBeGreaterThanOrEqual(0);
    });

    it.each(["", "   \n", "# only a comment", "x = 1", "None", "5;"])(
      "shows nothing for %j",
      async (code) => {
        expect((await runOk(sandbox(), code)).results).toEqual([]);
      },
    );

    it("gives every run an id of its own", async () => {
      const [one, two] = [await runOk(sandbox(), "1"), await runOk(sandbox(), "1")];
      expect(one.runId).not.toBe(two.runId);
    });

    it("keeps stdout and stderr apart", async () => {
      const result = await runOk(sandbox(), "import sys\nprint('out')\nprint('err', file=sys.stderr)");
      expect([result.stdout, result.stderr]).toEqual(["out\n", "err\n"]);
    });

    it("keeps variables, imports and definitions for the next run", async () => {
      await runOk(sandbox(), "import math\nradius = 2\ndef area(r):\n    return math.pi * r * r");
      expect(await evaluate(sandbox(), "round(area(radius), 3)")).toBe("12.566");
    });

    it("starts in the workspace", async () => {
      const fresh = await create();
      expect(await evaluate(fresh, "import os; os.getcwd()")).toBe(`'${fresh.info.paths.workspace}'`);
    });

    it("awaits at top level", async () => {
      expect(await evaluate(sandbox(), "import asyncio\nawait asyncio.sleep(0, 'awaited')")).toBe(
        "'awaited'",
      );
    });

    it.runIf(hasMagics)("knows IPython's magics", async () => {
      await runOk(sandbox(), "measured = %timeit -n1 -r1 -q -o pass");
      expect(await evaluate(sandbox(), "type(measured).__name__")).toBe("'TimeitResult'");
      expect((await runOk(sandbox(), "%%capture held\nprint('captured')")).stdout).toBe("");
      expect(await evaluate(sandbox(), "held.stdout")).toBe("'captured\\n'");
    });

    it.runIf(driver.capabilities.shell)("runs shell lines that start with !", async () => {
      expect((await runOk(sandbox(), "!echo from the shell")).stdout.trim()).toBe("from the shell");
      expect(await evaluate(sandbox(), "lines = !echo kept\nlist(lines)")).toBe("['kept']");
    });

    it.runIf(!hasMagics)("refuses magics as the syntax errors that they are", async () => {
      const { error } = await sandbox().python.run("%timeit pass");
      expect(error).toMatchObject({ name: "SyntaxError", value: expect.stringMatching(/IPython/) });
      expect(error?.traceback).toMatch(/^ {2}File "<cell \d+>", line 1\n {4}%timeit pass\n/);
    });

    it.runIf(!has("numpy")).each(["numpy", "pandas", "matplotlib.pyplot"])(
      "says that there is no %s, and what to do",
      async (module) => {
        const [name = ""] = module.split(".");
        const result = await sandbox().python.run(`import ${module}`);
        expect(result).toMatchObject({ status: "error", error: { name: "ModuleNotFoundError" } });
        expect(result.error?.value).toContain(`the package ${name} is not there`);
        expect(result.notices.join()).toMatch(new RegExp(`package ${name} .*SANDBOX_RUNTIME`));
        expect(sandbox().info.capabilities.lacks).toContain(name);
      },
    );

    it.runIf(has("pandas"))("has the libraries for data", async () => {
      const versions = "[m.__version__ for m in (np, pd, matplotlib)]";
      await runOk(sandbox(), `import numpy as np, pandas as pd, matplotlib\nassert all(${versions})`);
    });

    it("reports an error with its name, value and traceback", async () => {
      const result = await sandbox().python.run(
        "def divide(a, b):\n    return a / b\n\nprint('before')\ndivide(1, 0)",
      );
      expect(result).toMatchObject({
        status: "error",
        exitCode: 1,
        stdout: "before\n",
        results: [],
        error: { name: "ZeroDivisionError", value: "division by zero" },
        kernelRestarted: false,
      });
      expect(result.error?.traceback).toMatch(/divide\(1, 0\)[^]*return a \/ b[^]*ZeroDivisionError/);
    });

    it.each([
      ["raise ValueError('bad ☃ value')", "ValueError", "bad ☃ value"],
      ["no_such_name", "NameError", "name 'no_such_name' is not defined"],
      ["assert False, 'claimed'", "AssertionError", "claimed"],
    ])("names the error of %j", async (code, name, value) => {
      expect(await sandbox().python.run(code)).toMatchObject({ status: "error", error: { name, value } });
    });

    it.each(["1 +", "def f(:", "if True:\nprint(1)", "'unclosed"])(
      "reports the syntax of %j",
      async (code) => {
        const result = await sandbox().python.run(code);
        expect(result).toMatchObject({ status: "error", exitCode: 1, kernelRestarted: false });
        expect(result.error?.name).toMatch(/^(SyntaxError|IndentationError)$/);
      },
    );

    it("keeps what happened before an error and runs on after it", async () => {
      const result = await sandbox().python.run("kept_over_error = 'yes'\n1 / 0\nkept_over_error = 'no'");
      expect(result.status).toBe("error");
      expect(await evaluate(sandbox(), "kept_over_error")).toBe("'yes'");
    });

    it.each(["import sys; sys.exit(3)", "exit()", "quit()", "raise SystemExit"])(
      "outlives %j",
      async (code) => {
        await runOk(sandbox(), "kept_over_exit = 'yes'");
        expect((await sandbox().python.run(code)).kernelRestarted).toBe(false);
        expect(await evaluate(sandbox(), "kept_over_exit")).toBe("'yes'");
      },
    );

    it("reports an error that cannot be shown", async () => {
      const code =
        "class Rude(Exception):\n    def __str__(self):\n        raise RuntimeError('no')\nraise Rude()";
      expect(await sandbox().python.run(code)).toMatchObject({ status: "error", kernelRestarted: false });
      expect(await evaluate(sandbox(), "1 + 1")).toBe("2");
    });

    it("reports a value that cannot be shown", async () => {
      const code = "class Mute:\n    def __repr__(self):\n        raise RuntimeError('mute')\nMute()";
      const result = await sandbox().python.run(code);
      expect(JSON.stringify(result)).toContain("RuntimeError: mute");
      expect(await evaluate(sandbox(), "1 + 1")).toBe("2");
    });

    it.each<[string, unknown, PythonRunOptions]>([
      ["code that is not text", 42, {}],
      ["a time-out of zero", "1", { timeoutMs: 0 }],
      ["a negative time-out", "1", { timeoutMs: -1 }],
      ["a time-out that is not a number", "1", { timeoutMs: Number.NaN }],
      ["a negative output cap", "1", { maxOutputBytes: -1 }],
    ])("refuses %s", async (_, code, options) => {
      await expect(sandbox().python.run(code as string, options)).rejects.toMatchObject(
        refusal("invalid_argument"),
      );
    });
  });
}
