import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { evaluate, runOk } from "../../conformance/index.ts";
import type { CreateOptions } from "../../contract/sandbox.ts";
import { localDriver } from "../local/driver.ts";
import { createRoutedDriver } from "./driver.ts";
import { limitDriver } from "./limited-driver.harness.ts";

const light = limitDriver(localDriver, ["numpy", "pandas"]);
const driver = createRoutedDriver({ light, heavy: localDriver });

describe("the life of two sandboxes as one", () => {
  let dataDir = "";
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "atoll-routed-life-"));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));
  const create = async (options: CreateOptions = {}) => {
    const sandbox = await driver.create({ dataDir, ...options });
    onTestFinished(() => sandbox.destroy().catch(() => undefined));
    return sandbox;
  };
  const bothStates = async (id: string) => {
    const listed = [
      ...(await light.list({ dataDir, ids: [id] })),
      ...(await localDriver.list({ dataDir, ids: [id] })),
    ];
    return listed.map(({ state }) => state);
  };

  test("pause and resume hold for both, and nothing starts meanwhile", async () => {
    const sandbox = await create();
    await runOk(sandbox, "a = 1");
    await sandbox.pause();
    expect(await sandbox.state()).toBe("paused");
    await expect(sandbox.commands.run("true")).rejects.toMatchObject({ code: "sandbox_paused" });
    await sandbox.resume();
    await runOk(sandbox, "import pandas\nb = 2");
    await sandbox.pause();
    expect(await bothStates(sandbox.id)).toEqual(["paused", "paused"]);
    await expect(sandbox.python.run("1")).rejects.toMatchObject({ code: "sandbox_paused" });
    await sandbox.resume();
    expect(await evaluate(sandbox, "a + b")).toBe("3");
  });

  test("a thread of light runs comes back from its snapshot without CPython", async () => {
    const sandbox = await create();
    await runOk(sandbox, "import math\nanswer = [42]\nopen('a.txt', 'w').write('kept')");
    const { saved } = await sandbox.snapshot();
    expect(saved).toEqual(["math", "answer"]);
    await sandbox.destroy({ keepFiles: true });
    const again = await create({ id: sandbox.id });
    expect((await again.restore()).restored).toEqual(["math", "answer"]);
    const run = await runOk(again, "print(answer, open('a.txt').read())");
    expect(run).toMatchObject({ stdout: "[42] kept\n", place: { runtime: "pyodide" } });
    expect(await bothStates(sandbox.id)).toEqual(["running"]);
  });

  test("variables of both kernels come back from one snapshot, files from one set", async () => {
    const sandbox = await create();
    await runOk(
      sandbox,
      "import pandas as pd\ndf = pd.DataFrame({'a': [1, 2]})\nopen('h.txt', 'w').write('h')",
    );
    await runOk(sandbox, "light_one = {'k': 1}\nopen('l.txt', 'w').write('l')");
    const { saved, path, sizeBytes } = await sandbox.snapshot();
    expect(saved).toEqual(expect.arrayContaining(["pd", "df", "light_one"]));
    expect((await sandbox.files.stat(path)).sizeBytes).toBe(sizeBytes);
    // Saving moves nothing.
    expect((await runOk(sandbox, "light_one")).place?.runtime).toBe("pyodide");
    await sandbox.destroy({ keepFiles: true });
    const again = await create({ id: sandbox.id });
    expect((await again.restore()).restored).toEqual(expect.arrayContaining(["df", "light_one"]));
    expect((await runOk(again, "print(len(df), light_one)")).stdout).toBe("2 {'k': 1}\n");
    const files = await runOk(again, "import os\nprint(sorted(os.listdir()))");
    expect(files).toMatchObject({ stdout: "['h.txt', 'l.txt']\n", place: { runtime: "pyodide" } });
  });

  test("a restore takes the place of what both kernels had", async () => {
    const sandbox = await create();
    await runOk(sandbox, "import pandas\nvalue = 'then'");
    await sandbox.snapshot();
    await runOk(sandbox, "later = 1");
    await runOk(sandbox, "import pandas\nvalue = 'now'");
    await sandbox.restore();
    expect(await evaluate(sandbox, "value, 'later' in globals()")).toBe("('then', False)");
  });

  test("a fork has files and variables of both", async () => {
    const sandbox = await create({ env: { GREETING: "hi" } });
    await runOk(sandbox, "import pandas as pd\ndf = pd.DataFrame({'a': [1, 2]})");
    await runOk(sandbox, "n = 7\nopen('l.txt', 'w').write('l')");
    const copy = await sandbox.fork();
    onTestFinished(() => copy.destroy());
    expect(copy.forked.lost).toEqual([]);
    await runOk(sandbox, "import pandas\ndf = None\nopen('l.txt', 'w').write('changed')");
    expect((await runOk(copy, "print(len(df), n, open('l.txt').read())")).stdout).toBe("2 7 l\n");
    expect(await evaluate(copy, "import os\nos.environ['GREETING']")).toBe("'hi'");
  });

  test("whoever comes later joins both, and finds their variables", async () => {
    const sandbox = await create({ labels: { owner: "me" } });
    await runOk(sandbox, "import pandas as pd\ndf = pd.DataFrame({'a': [1, 2]})");
    await sandbox.detach();
    const joined = await driver.attach(sandbox.id, { dataDir });
    onTestFinished(() => joined.destroy());
    expect(joined.info).toMatchObject({ id: sandbox.id, driver: "routed", labels: { owner: "me" } });
    expect(await runOk(joined, "print(len(df))")).toMatchObject({
      stdout: "2\n",
      place: { runtime: "cpython" },
    });
    expect((await runOk(joined, "print(1)")).place?.runtime).toBe("pyodide");
  });

  test("a light sandbox that ended is made anew on the files; without CPython the pair is dead", async () => {
    const sandbox = await create();
    await runOk(sandbox, "import pandas\nx = 5\nopen('f.txt', 'w').write('f')");
    await sandbox.detach();
    await (await light.attach(sandbox.id, { dataDir })).destroy();
    const joined = await driver.attach(sandbox.id, { dataDir });
    onTestFinished(() => joined.destroy());
    expect((await runOk(joined, "print(open('f.txt').read())")).stdout).toBe("f\n");
    expect((await runOk(joined, "print(x)")).stdout).toBe("5\n");

    const other = await create();
    await other.detach();
    await (await light.attach(other.id, { dataDir })).destroy({ keepFiles: true });
    await expect(driver.attach(other.id, { dataDir })).rejects.toMatchObject({ code: "sandbox_dead" });
    await expect(driver.attach("no-such-sandbox", { dataDir })).rejects.toMatchObject({ code: "not_found" });
  });

  test("lists show pairs, each once, and nothing is left of one that was destroyed", async () => {
    const sandbox = await create({ labels: { a: "b" } });
    await runOk(sandbox, "import pandas");
    const listed = await driver.list({ dataDir, ids: [sandbox.id] });
    expect(listed).toEqual([{ id: sandbox.id, state: "running", info: sandbox.info }]);
    const [half] = await localDriver.list({ dataDir, ids: [sandbox.id] });
    expect(half?.info.labels).toEqual({ "atoll.pair": sandbox.id });
    await expect(driver.create({ dataDir, id: sandbox.id })).rejects.toMatchObject({
      code: "already_exists",
    });
    await sandbox.destroy();
    await sandbox.destroy();
    expect(await driver.list({ dataDir, ids: [sandbox.id] })).toEqual([]);
    expect(await bothStates(sandbox.id)).toEqual([]);
  });

  test("contexts have variables of their own in both", async () => {
    const sandbox = await create();
    const { name } = await sandbox.python.createContext({ name: "second" });
    await runOk(sandbox, "x = 1");
    await runOk(sandbox, "x = 2", { context: name });
    expect((await runOk(sandbox, "import pandas; print(x)", { context: name })).stdout).toBe("2\n");
    expect((await runOk(sandbox, "import pandas; print(x)")).stdout).toBe("1\n");
    expect((await sandbox.python.contexts()).map((context) => context.name)).toEqual(["default", "second"]);
    await sandbox.python.restart(name);
    const gone = await sandbox.python.run("x", { context: name });
    expect(gone).toMatchObject({ status: "error", error: { name: "NameError" } });
    await sandbox.python.removeContext(name);
    await expect(sandbox.python.run("1", { context: name })).rejects.toMatchObject({ code: "not_found" });
  });

  test("a caller can choose the place, and what is needed is brought there", async () => {
    const sandbox = await create();
    const first = await runOk(sandbox, "n = 20 + 1", { place: "heavy" });
    expect(first.place).toMatchObject({ runtime: "cpython", reason: "was asked for" });
    const second = await runOk(sandbox, "print(n * 2)", { place: "light" });
    expect(second).toMatchObject({ stdout: "42\n", place: { runtime: "pyodide" } });
    const third = await sandbox.python.run("import pandas", { place: "light" });
    expect(third).toMatchObject({ status: "error", error: { name: "ModuleNotFoundError" } });
  });

  test("the environment is that of both, whenever the second starts", async () => {
    const sandbox = await create();
    await sandbox.env.set({ COLOR: "blue" });
    expect(await evaluate(sandbox, "import os\nos.environ['COLOR']")).toBe("'blue'");
    expect((await sandbox.commands.run("echo $COLOR")).stdout).toBe("blue\n");
    expect(await sandbox.env.get("COLOR")).toBe("blue");
  });

  test("an abort ends a run in either, and one that waits at once", async () => {
    const sandbox = await create();
    for (const code of ["while True: pass", "import pandas\nprint('on', flush=True)\nwhile True: pass"]) {
      const stop = new AbortController();
      const going = Promise.withResolvers<void>();
      const run = sandbox.python.run(`print('on', flush=True)\n${code}`, {
        signal: stop.signal,
        timeoutMs: 30_000,
        onStdout: () => going.resolve(),
      });
      await going.promise;
      const waiting = new AbortController();
      const second = sandbox.python.run("1", { signal: waiting.signal });
      waiting.abort();
      await expect(second).rejects.toMatchObject({ code: "aborted" });
      stop.abort();
      expect(await run).toMatchObject({ status: "killed" });
    }
    expect(await evaluate(sandbox, "1 + 1")).toBe("2");
  });
});
