import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { runOk } from "../../conformance/index.ts";
import type { CreateOptions } from "../../contract/sandbox.ts";
import { defaultRoutingLimits } from "../../routing/decision.ts";
import { plainModules } from "../../routing/modules.ts";
import { localDriver } from "../local/driver.ts";
import { createRoutedDriver } from "./driver.ts";
import { limitDriver } from "./limited-driver.harness.ts";

const light = limitDriver(localDriver, ["numpy", "pandas", "yaml_like"]);
const driver = createRoutedDriver({
  light,
  heavy: localDriver,
  // One more than it has: what it turns out to lack is run again elsewhere.
  modules: async () => new Set([...plainModules, "numpy"]),
  limits: () => ({ ...defaultRoutingLimits, timeoutMs: 30_000 }),
  capacity: { fileBytes: 100_000, totalBytes: 1_000_000 },
});

const pyodide = (reason: RegExp) => ({ runtime: "pyodide", reason: expect.stringMatching(reason) });
const cpython = (reason: RegExp) => ({ runtime: "cpython", reason: expect.stringMatching(reason) });

describe("two sandboxes as one", () => {
  let dataDir = "";
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "atoll-routed-"));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));
  const create = async (options: CreateOptions = {}) => {
    const sandbox = await driver.create({ dataDir, ...options });
    onTestFinished(() => sandbox.destroy().catch(() => undefined));
    return sandbox;
  };
  const livingHeavies = async (id: string) =>
    (await localDriver.list({ dataDir, ids: [id] })).filter(({ state }) => state !== "dead");

  test("plain code never starts CPython", async () => {
    const sandbox = await create();
    const run = await runOk(sandbox, "total = sum(range(10))\nprint(total)");
    expect(run.place).toMatchObject(pyodide(/plain Python/));
    await sandbox.files.write("a.txt", "one");
    expect((await runOk(sandbox, "print(open('a.txt').read(), total)")).stdout).toBe("one 45\n");
    expect(await livingHeavies(sandbox.id)).toEqual([]);
  });

  test("data science runs in CPython, and what uses its variables too", async () => {
    const sandbox = await create();
    const run = await runOk(sandbox, "import pandas as pd\ndf = pd.DataFrame({'a': [1, 2]})");
    expect(run.place).toMatchObject(cpython(/^imports pandas$/));
    const next = await runOk(sandbox, "print(df.a.sum())");
    expect(next).toMatchObject({ stdout: "3\n", place: cpython(/uses df, which lives in CPython/) });
    expect((await runOk(sandbox, "print(1 + 1)")).place).toMatchObject(pyodide(/plain/));
  });

  test("variables of Pyodide come along, and functions and imports with them", async () => {
    const sandbox = await create();
    await runOk(sandbox, "import math\nitems = [1, 2]\nsame = items\ndef double(x): return 2 * x");
    const run = await runOk(
      sandbox,
      "import pandas\nitems.append(double(math.floor(3.5)))\nprint(items, same is items)",
    );
    expect(run).toMatchObject({ stdout: "[1, 2, 6] True\n", place: { runtime: "cpython" } });
    expect(await runOk(sandbox, "print(items)")).toMatchObject({
      stdout: "[1, 2, 6]\n",
      place: cpython(/uses items/),
    });
    await runOk(sandbox, "items = 'new'");
    expect((await runOk(sandbox, "import pandas; print(items)")).stdout).toBe("new\n");
    await runOk(sandbox, "later = 1");
    await runOk(sandbox, "del later");
    expect((await runOk(sandbox, "import pandas; print('later' in globals())")).stdout).toBe("False\n");
  });

  test("what cannot be brought is said, once it is needed", async () => {
    const sandbox = await create();
    await runOk(sandbox, "stream = (i for i in range(3))");
    expect((await runOk(sandbox, "import pandas")).notices).toEqual([]);
    const run = await sandbox.python.run("import pandas\nnext(stream)");
    expect(run.status).toBe("error");
    expect(run.notices.join()).toMatch(
      /stream \(generator\) could not be brought to CPython: cannot be pickled/,
    );
  });

  test("a failing run leaves each variable where it really is", async () => {
    const sandbox = await create();
    await runOk(sandbox, "import pandas as pd\ndf = pd.DataFrame({'a': [1]})\nother = 1");
    expect(await sandbox.python.run("other = 2\n1 / 0\ndf = 3")).toMatchObject({
      status: "error",
      place: { runtime: "pyodide" },
    });
    expect((await runOk(sandbox, "print(other)")).stdout).toBe("2\n");
    expect((await runOk(sandbox, "print(len(df))")).stdout).toBe("1\n");
  });

  test("names that cannot be seen in the code are found", async () => {
    const sandbox = await create();
    await runOk(sandbox, "exec(input.__name__.replace('input', 'hidden = 5'))");
    expect((await runOk(sandbox, "import pandas; print(hidden)")).stdout).toBe("5\n");
    await runOk(sandbox, "import pandas\nglobals()['secret'] = 7");
    expect(await runOk(sandbox, "print(secret)")).toMatchObject({ stdout: "7\n", place: cpython(/secret/) });
  });

  describe("files", () => {
    test("are the same in both, changes and removals too", async () => {
      const sandbox = await create();
      await runOk(
        sandbox,
        "import os\nos.makedirs('deep/er')\nopen('deep/er/a.txt', 'w').write('light')\nopen('b.txt', 'w').write('b')",
      );
      const shell = await sandbox.commands.run(
        "cat deep/er/a.txt b.txt; rm b.txt; echo heavy >> deep/er/a.txt; ln -s deep link",
      );
      expect(shell.stdout).toBe("lightb");
      const run = await runOk(
        sandbox,
        "import os\nprint(open('link/er/a.txt').read(), os.path.exists('b.txt'))",
      );
      expect(run).toMatchObject({ stdout: "lightheavy\n False\n", place: { runtime: "pyodide" } });
      await runOk(sandbox, "import shutil\nshutil.rmtree('deep')\nopen('c.txt', 'w').write('c')");
      expect((await sandbox.files.list()).map(({ name }) => name).toSorted()).toEqual(["c.txt", "link"]);
      await sandbox.files.write("d.txt", "d");
      expect((await runOk(sandbox, "print(open('d.txt').read())")).stdout).toBe("d\n");
    });

    test("too large for Pyodide stay in CPython, and code that opens them goes there", async () => {
      const sandbox = await create();
      await sandbox.commands.run("head -c 9000000 /dev/zero > big.bin; echo small > small.txt");
      expect(await runOk(sandbox, "import os\nprint(os.listdir())")).toMatchObject({
        stdout: "['small.txt']\n",
      });
      expect((await runOk(sandbox, "print(len(open('big.bin', 'rb').read()))")).place).toMatchObject(
        cpython(/opens big\.bin \(9 MB\)/),
      );
      const run = await runOk(sandbox, "name = 'big' + '.bin'\nprint(len(open(name, 'rb').read()))");
      expect(run).toMatchObject({ stdout: "9000000\n", place: { runtime: "cpython", retried: true } });
      await sandbox.files.remove("big.bin");
      await sandbox.files.write("big.bin", "tiny");
      expect((await runOk(sandbox, "print(open('big.bin').read())")).place).toMatchObject(pyodide(/plain/));
    });

    test("written as a large stream start CPython, as a small one do not", async () => {
      const sandbox = await create();
      const stream = (parts: number) =>
        ReadableStream.from(Array.from({ length: parts }, () => Buffer.alloc(40_000, 1)));
      await sandbox.files.write("small.bin", stream(1));
      expect(await livingHeavies(sandbox.id)).toEqual([]);
      await sandbox.files.write("large.bin", stream(5));
      expect(await livingHeavies(sandbox.id)).toHaveLength(1);
      expect((await sandbox.files.stat("large.bin")).sizeBytes).toBe(200_000);
      expect((await sandbox.files.stat("small.bin")).sizeBytes).toBe(40_000);
    });

    test("of an own module are looked into", async () => {
      const sandbox = await create();
      await sandbox.files.write("report.py", "import pandas as pd\nrows = len(pd.DataFrame({'a': [1]}))");
      await sandbox.files.write("plain.py", "def f(): return 1");
      expect((await runOk(sandbox, "import plain\nplain.f()")).place).toMatchObject(pyodide(/plain Python/));
      expect(await runOk(sandbox, "import report\nprint(report.rows)")).toMatchObject({
        stdout: "1\n",
        place: cpython(/imports report, which imports pandas/),
      });
    });

    test("of data sets are shown in both, and measured on the host", async () => {
      const [small, large] = [join(dataDir, "small.csv"), join(dataDir, "large.csv")];
      await writeFile(small, "a\n1\n");
      await writeFile(large, Buffer.alloc(9_000_000, "x"));
      const sandbox = await create({ datasets: { "small.csv": small, "large.csv": large } });
      expect(await runOk(sandbox, "print(len(open('/data/small.csv').read()))")).toMatchObject({
        stdout: "4\n",
        place: { runtime: "pyodide" },
      });
      expect(await runOk(sandbox, "print(len(open('/data/large.csv').read()))")).toMatchObject({
        stdout: "9000000\n",
        place: cpython(/opens large\.csv/),
      });
    });
  });
});
