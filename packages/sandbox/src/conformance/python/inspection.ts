import { describe, expect, it } from "vitest";
import { runOk, startWaiting } from "../run-code.ts";
import { describeInside, refusal, type Suite } from "../suite.ts";

export function describeInspection({ driver, share }: Suite): void {
  const hasTables = describeInside(driver).has("pandas");
  describe("a look at a kernel", () => {
    const sandbox = share();
    const show = async (code: string): Promise<string> => {
      const { results } = await runOk(sandbox(), `import pandas as pd, numpy as np\n${code}`);
      return results[0]?.table?.id ?? "";
    };

    it.runIf(hasTables)(
      "gives all rows of a table that was shown, sorted and filtered, as it was then",
      async () => {
        const id = await show("big = pd.DataFrame({'n': np.arange(5000), 's': 'row'})\nbig");
        await runOk(sandbox(), "big.loc[:, 'n'] = -1");
        const { python } = sandbox();
        expect(await python.table(id, { offset: 4998 })).toMatchObject({
          columns: [{ name: "n" }, { name: "s" }],
          rows: [
            [4998, "row"],
            [4999, "row"],
          ],
          totalRows: 5000,
          matchingRows: 5000,
        });
        const found = await python.table(id, { sort: "-n", filter: "< 10", column: "n", limit: 2 });
        expect([found.rows.map(([n]) => n), found.matchingRows]).toEqual([[9, 8], 10]);
        const { csv, rows } = await python.tableCsv(id, { sort: "-n", limit: 2 });
        expect([Buffer.from(csv).toString(), rows]).toEqual(["n,s\n4999,row\n4998,row\n", 2]);
        expect((await python.tableCsv(id, { offset: 5000 })).rows).toBe(0);
      },
    );

    it.runIf(hasTables)("says which table or column is not there", async () => {
      const { python } = sandbox();
      const id = await show("pd.DataFrame({'n': [1]})");
      await expect(python.table("nothing")).rejects.toMatchObject(refusal("not_found"));
      await expect(python.table(id, { sort: "x" })).rejects.toMatchObject(refusal("invalid_argument"));
      await python.restart();
      await expect(python.table(id)).rejects.toMatchObject(refusal("not_found"));
    });

    it("is not held up by what the user's own code does when it is looked at", async () => {
      const { python } = sandbox();
      await python.restart();
      await runOk(
        sandbox(),
        `
import time
class Endless:
    def __repr__(self):
        while True: pass
class Asleep:
    def __repr__(self): time.sleep(600)
    def __sizeof__(self): time.sleep(600)
class Breaking:
    def __repr__(self): raise KeyboardInterrupt
things, after = [Endless() for _ in range(3)], "seen"
endless, asleep, breaking = Endless(), Asleep(), Breaking()
`,
      );
      const { variables } = await python.variables();
      expect(variables.map(({ name, preview }) => [name, preview]).slice(3)).toEqual([
        ["things", ""],
        ["after", "'seen'"],
        ["endless", ""],
        ["asleep", ""],
        ["breaking", ""],
      ]);
      await runOk(sandbox(), "assert after == 'seen'; import signal; assert signal.getitimer(0) == (0, 0)");
    });

    it.runIf(!hasTables)("says that a table is not there", async () => {
      const { python } = sandbox();
      await expect(python.table("nothing")).rejects.toMatchObject(refusal("not_found"));
      await expect(python.tableCsv("nothing")).rejects.toMatchObject(refusal("not_found"));
    });

    it("lists the user's variables and removes one", async () => {
      const { python } = sandbox();
      await python.restart();
      await runOk(
        sandbox(),
        `
import math${hasTables ? ", pandas as pd" : ""}
frame = ${hasTables ? 'pd.DataFrame({"a": [1, 2], "b": [3, 4]})' : "dict.fromkeys(range(2))"}
def double(x): return 2 * x
class Thing:
    def __repr__(self): raise SystemExit
thing, _hidden, words = Thing(), 1, ["one", "two"]
`,
      );
      const { variables, total } = await python.variables();
      expect([total, variables.map(({ name, type, kind, shape }) => [name, type, kind, shape])]).toEqual([
        5,
        [
          hasTables ? ["frame", "DataFrame", "value", [2, 2]] : ["frame", "dict", "value", [2]],
          ["double", "function", "function", undefined],
          ["Thing", "type", "class", undefined],
          ["thing", "Thing", "value", undefined],
          ["words", "list", "value", [2]],
        ],
      ]);
      expect(variables.map(({ preview }) => preview)).toEqual([
        hasTables ? "a, b" : "{0: None, 1: None}",
        "(x)",
        expect.any(String),
        "",
        "['one', 'two']",
      ]);
      expect(variables[0]?.sizeBytes).toBeGreaterThan(32);
      expect([await python.removeVariable("frame"), await python.removeVariable("frame")]).toEqual([
        true,
        false,
      ]);
      expect(await python.removeVariable("exit")).toBe(false);
      expect((await python.variables()).total).toBe(4);
    });

    it("does not wait for code that runs", async () => {
      const running = await startWaiting(sandbox());
      const { python } = sandbox();
      await expect(python.table("x")).rejects.toMatchObject(refusal("busy"));
      await expect(python.variables()).rejects.toMatchObject(refusal("busy"));
      await running.release();
      expect(await python.variables()).toMatchObject({ total: expect.any(Number) });
    });
  });
}
