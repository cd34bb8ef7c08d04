import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bench, openBench, problemOf, tableOf } from "./tables.harness.ts";
import { loadTables } from "./load-tables.ts";

describe("reading that does not come to its end", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench();
  });
  afterAll(() => bench.close());

  it("costs the other files nothing when one of them ends the kernel", async () => {
    const sandbox = await bench.open({ "a.csv": "x\n1\n", "b.csv": "x\n2\n", "c.csv": "x\n3\n" });
    await sandbox.python.run(`
import builtins, os
_open = builtins.open
def _deadly(path, *rest, **more):
    if str(path).endswith("b.csv"):
        os._exit(9)
    return _open(path, *rest, **more)
builtins.open = _deadly
`);
    const data = await loadTables(sandbox);
    expect(problemOf(data, "b.csv")).toMatch(/memory/);
    expect(tableOf(data, "a.csv").variable).toBe("df");
    expect((await sandbox.python.run("print(int(df.x.sum()), int(a.x.sum()), int(c.x.sum()))")).stdout).toBe(
      "1 1 3\n",
    );
  });

  it("ends when its time is up, with a problem for the file it was at", async () => {
    const sandbox = await bench.open({ "a.csv": "x\n1\n", "slow.csv": "x\n2\n" });
    await sandbox.python.run(`
import builtins, time
_open = builtins.open
def _slow(path, *rest, **more):
    if str(path).endswith("slow.csv"):
        time.sleep(60)
    return _open(path, *rest, **more)
builtins.open = _slow
`);
    const data = await loadTables(sandbox, { timeoutMs: 2500 });
    expect(problemOf(data, "slow.csv")).toMatch(/too long/);
    expect(tableOf(data, "a.csv").rows).toBe(1);
  });

  it("ends as an error when it is aborted", async () => {
    const sandbox = await bench.open({ "a.csv": "x\n1\n" });
    await expect(loadTables(sandbox, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "aborted",
    });
  });

  it("lists the files when the kernel's own libraries are broken", async () => {
    const sandbox = await bench.open({ "a.csv": "x\n1\n" });
    await sandbox.python.run(`import sys; sys.modules["pandas"] = None`);
    const data = await loadTables(sandbox);
    expect(problemOf(data, "a.csv")).toMatch(/pandas is not installed/);
  });

  it("gives a large file's first rows, and the count of all", async () => {
    const row = `${"x".repeat(90)},12345\n`;
    const sandbox = await bench.open({ "large.csv": `text,n\n${row.repeat(160_000)}` });
    const small = {
      ...sandbox,
      info: { ...sandbox.info, limits: { ...sandbox.info.limits, memoryBytes: 32 << 20 } },
    };
    const table = tableOf(await loadTables(small), "large.csv");
    expect(table.rows).toBe(160_000);
    expect(table.loaded_rows).toBeGreaterThan(1000);
    expect(table.loaded_rows).toBeLessThan(160_000);
    expect(table.notes.join()).toMatch(
      /only the first .* read in parts: for part in pd\.read_csv\('\/data\/large\.csv'/,
    );
  });
});
