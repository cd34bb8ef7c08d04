import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { evaluate, runOk } from "../../conformance/index.ts";
import { Sandbox } from "../../sandbox.ts";
import { plainModules } from "../../routing/modules.ts";

describe("runtime routed: Pyodide and CPython", () => {
  let dataDir = "";
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "atoll-both-"));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));
  const create = async (id?: string) => {
    const sandbox = await Sandbox.create({ runtime: "routed", dataDir, ...(id && { id }) });
    onTestFinished(() => sandbox.destroy().catch(() => undefined));
    return sandbox;
  };

  test("Pyodide can import every module that is taken for plain", async () => {
    const sandbox = await create();
    const code = `
failed = {}
for name in ${JSON.stringify([...plainModules])}:
    try:
        exec("import " + name)
    except BaseException as error:
        failed[name] = repr(error)
print(failed)`;
    expect((await runOk(sandbox, code, { place: "light" })).stdout).toBe("{}\n");
  });

  test("variables go from one Python to another: plain values and definitions, not compiled code", async () => {
    const sandbox = await create();
    await runOk(
      sandbox,
      "import math\nrows = [{'a': 1}, {'a': 2.5}]\ndef area(r): return math.pi * r * r\nsquare = lambda x: x * x",
    );
    const run = await runOk(
      sandbox,
      "import pandas as pd\ndf = pd.DataFrame(rows)\nprint(df.a.sum(), round(area(1), 2))",
    );
    expect(run).toMatchObject({
      stdout: "3.5 3.14\n",
      place: { runtime: "cpython", reason: "imports pandas" },
    });
    const lost = await sandbox.python.run("import pandas\nsquare(2)");
    expect(lost.notices.join()).toMatch(/square \(function\) could not be brought to CPython/);
    const versions = "import sys\nsys.version_info[:2] > (3, 13)";
    expect(await evaluate(sandbox, versions, { place: "light" })).toBe("True");
  });

  test("files, rest and wake", async () => {
    const sandbox = await create();
    await runOk(sandbox, "kept = ['a']\nopen('light.txt', 'w').write('l')");
    await runOk(
      sandbox,
      "import pandas as pd\ndf = pd.DataFrame({'a': kept})\nopen('heavy.txt', 'w').write('h')",
    );
    expect((await runOk(sandbox, "import os\nprint(sorted(os.listdir()))")).stdout).toBe(
      "['heavy.txt', 'light.txt']\n",
    );
    await sandbox.snapshot();
    await sandbox.destroy({ keepFiles: true });
    const again = await create(sandbox.id);
    expect((await again.restore()).lost).toEqual([]);
    expect((await runOk(again, "print(len(df), kept)")).stdout).toBe("1 ['a']\n");
    expect(await runOk(again, "print(open('light.txt').read(), open('heavy.txt').read())")).toMatchObject({
      stdout: "l h\n",
      place: { runtime: "pyodide" },
    });
  });

  test("contexts of their own run in CPython", async () => {
    const sandbox = await create();
    const { name } = await sandbox.python.createContext({ name: "other" });
    const run = await runOk(sandbox, "x = 1", { context: name });
    expect(run.place).toMatchObject({ runtime: "cpython", reason: "runs in a context of its own" });
    expect((await sandbox.python.contexts()).map((context) => context.name)).toEqual(["default", "other"]);
    await sandbox.python.removeContext(name);
  });

  test("CPYTHON_FSIZE_MB, CPYTHON_NOFILE, CPYTHON_AS_MB and CPYTHON_DATA_ROOT hold in CPython", async () => {
    vi.stubEnv("CPYTHON_FSIZE_MB", "3");
    vi.stubEnv("CPYTHON_NOFILE", "40");
    vi.stubEnv("CPYTHON_AS_MB", "600");
    vi.stubEnv("CPYTHON_DATA_ROOT", "/workspace/input");
    onTestFinished(() => void vi.unstubAllEnvs());
    const sandbox = await create();
    await sandbox.files.write("/data/outputs/a.txt", "seen");
    const code = `
import resource, pandas
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0], open("/workspace/input/outputs/a.txt").read())
try:
    with open("big", "wb") as file:
        file.write(b"x" * 4_000_000)
except OSError as error:
    print("refused", error.errno)`;
    expect((await runOk(sandbox, code)).stdout).toBe("40 seen\nrefused 27\n");
    const greedy = await sandbox.python.run("import pandas\nblock = bytearray(700 * 1024 * 1024)");
    expect(greedy.status).not.toBe("ok");
    vi.stubEnv("CPYTHON_NOFILE", "3");
    const poor = await create();
    await expect(poor.commands.run("true")).rejects.toMatchObject({
      code: "invalid_argument",
      message: expect.stringMatching(/CPYTHON_NOFILE must be a whole number from 16 on/),
    });
  });
});
