import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { runOk } from "../../conformance/index.ts";
import { defaultRoutingLimits } from "../../routing/decision.ts";
import { plainModules } from "../../routing/modules.ts";
import { localDriver } from "../local/driver.ts";
import { createRoutedDriver } from "./driver.ts";
import { limitDriver } from "./limited-driver.harness.ts";

const options = {
  light: limitDriver(localDriver, ["numpy"]),
  heavy: localDriver,
  // Believed to have numpy, which it has not.
  modules: async () => new Set([...plainModules, "numpy"]),
  limits: () => ({ ...defaultRoutingLimits, timeoutMs: 30_000 }),
  lightLimits: () => ({ memoryBytes: 300 * 1024 * 1024 }),
};
const patient = createRoutedDriver(options);
const hasty = createRoutedDriver({
  ...options,
  limits: () => ({ ...defaultRoutingLimits, timeoutMs: 3000 }),
});

/** Does not end in the sandbox that stands for Pyodide. */
const spinInPyodide = `
import sys
while any(type(finder).__name__ == "_Lacking" for finder in sys.meta_path):
    pass
`;

describe("a run that Pyodide cannot do", () => {
  let dataDir = "";
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "atoll-retry-"));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));
  const create = async (driver = patient) => {
    const sandbox = await driver.create({ dataDir });
    onTestFinished(() => sandbox.destroy().catch(() => undefined));
    return sandbox;
  };

  test("is run again in CPython for want of a module, once, and says so", async () => {
    const sandbox = await create();
    const seen: string[] = [];
    const run = await runOk(sandbox, "print('begin')\nimport numpy\nprint(numpy.arange(3).sum())", {
      onStdout: (text) => seen.push(text),
      onStderr: (text) => seen.push(text),
    });
    expect(run.place).toMatchObject({
      runtime: "cpython",
      reason: "Pyodide has no module numpy",
      retried: true,
    });
    expect(run.notices.join()).toMatch(/Pyodide has no module numpy\. The code was run again in CPython/);
    expect(run.stdout).toBe("begin\n3\n");
    expect(seen.join("")).toMatch(/^begin\n\[Pyodide has no module numpy: run again[^]*\]\nbegin\n3\n$/);
    const next = await runOk(sandbox, "import numpy as np");
    expect(next.place).toMatchObject({ runtime: "cpython", reason: "imports numpy" });
  });

  test("leaves nothing of its first try behind: variables are as they were", async () => {
    const sandbox = await create();
    await runOk(sandbox, "counter = 1\nitems = ['a']\nkept = object.__name__");
    const run = await runOk(
      sandbox,
      "counter += 1\nitems.append('b')\nhalf = 1\nimport numpy\nprint(counter, items, kept)",
    );
    expect(run).toMatchObject({ stdout: "2 ['a', 'b'] object\n", place: { retried: true } });
    expect((await runOk(sandbox, "print(counter, items, half)")).stdout).toBe("2 ['a', 'b'] 1\n");
  });

  test("leaves nothing of its first try behind: files that it made are gone", async () => {
    const sandbox = await create();
    await sandbox.files.write("old.txt", "old");
    const run = await runOk(
      sandbox,
      `
import os
os.makedirs("made", exist_ok=False)
open("made/new.txt", "x").write("once")
import numpy
print(sorted(os.listdir()))`,
    );
    expect(run).toMatchObject({ stdout: "['made', 'old.txt']\n", place: { retried: true } });
    expect(await sandbox.files.readText("made/new.txt")).toBe("once");
    expect((await runOk(sandbox, "import os\nprint(sorted(os.listdir()))")).stdout).toBe(
      "['made', 'old.txt']\n",
    );
  });

  test("is not run again when it has changed a file that nobody has a copy of", async () => {
    const sandbox = await create();
    await sandbox.files.write("log.txt", "one\n");
    const code = "with open('log.txt', 'a') as log:\n    log.write('more\\n')\nimport numpy";
    const run = await sandbox.python.run(code);
    expect(run).toMatchObject({ status: "error", place: { runtime: "pyodide" } });
    expect(run.notices.join()).toMatch(
      /was not run again in CPython because it had already changed log\.txt/,
    );
    expect(await sandbox.files.readText("log.txt")).toBe("one\nmore\n");
    expect((await runOk(sandbox, code)).place).toMatchObject({ runtime: "cpython", reason: "imports numpy" });
  });

  test("has its changes taken back where CPython has the files as they were", async () => {
    const sandbox = await create();
    await sandbox.files.write("log.txt", "one\n");
    await sandbox.files.write("gone.txt", "still here\n");
    await sandbox.commands.run("true");
    const run = await runOk(
      sandbox,
      "import os\nwith open('log.txt', 'a') as log:\n    _ = log.write('more\\n')\nos.remove('gone.txt')\nimport numpy",
    );
    expect(run.place).toMatchObject({ retried: true });
    expect(await sandbox.files.readText("log.txt")).toBe("one\nmore\n");
    expect((await runOk(sandbox, "import os\nprint(open('log.txt').read(), os.listdir())")).stdout).toBe(
      "one\nmore\n ['log.txt']\n",
    );
  });

  test("is run again when it takes too long, with the variables from before, and goes there at once the next time", async () => {
    const sandbox = await create(hasty);
    await runOk(sandbox, "seen = []");
    const code = `seen.append(len(seen))\n${spinInPyodide}\nprint(seen)`;
    const run = await runOk(sandbox, code, { timeoutMs: 30_000 });
    expect(run).toMatchObject({ stdout: "[0]\n", place: { runtime: "cpython", retried: true } });
    expect(run.place?.reason).toBe("Pyodide ran out of time");
    await runOk(sandbox, "seen = []");
    expect((await runOk(sandbox, code, { timeoutMs: 30_000 })).place?.reason).toMatch(
      /Pyodide ran out of time before/,
    );
  });

  test("is over when the caller's own time is up", async () => {
    const sandbox = await create();
    const run = await sandbox.python.run("while True:\n    pass", { timeoutMs: 300 });
    expect(run).toMatchObject({ status: "timeout", place: { runtime: "pyodide" } });
    expect(run.place?.retried).toBeUndefined();
  });

  test("is run again for want of memory, and loses no variable", async () => {
    const sandbox = await create();
    await runOk(sandbox, "kept = [1, 2, 3]");
    const run = await runOk(
      sandbox,
      "size = 400\nblock = bytearray(size * 1024 * 1024)\nprint(len(block), kept)",
    );
    expect(run).toMatchObject({
      stdout: `${400 * 1024 * 1024} [1, 2, 3]\n`,
      place: { runtime: "cpython", reason: "Pyodide ran out of memory", retried: true },
    });
  });

  test("fails there too when CPython cannot do it either", async () => {
    const sandbox = await create();
    const run = await sandbox.python.run("__import__('no_such_' + 'module')", {});
    expect(run).toMatchObject({ status: "error", error: { name: "ModuleNotFoundError" } });
    expect(run.place).toMatchObject({ runtime: "cpython" });
    const mistake = await sandbox.python.run("[][1]");
    expect(mistake).toMatchObject({ status: "error", place: { runtime: "pyodide" } });
    expect(mistake.place?.retried).toBeUndefined();
  });
});
