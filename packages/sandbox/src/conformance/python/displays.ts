import { describe, expect, it } from "vitest";
import type { RunOutput, Table } from "../../contract/python.ts";
import { runOk } from "../run-code.ts";
import { describeInside, type Suite } from "../suite.ts";

export function describeDisplays({ driver, share }: Suite): void {
  const { hasMagics, has } = describeInside(driver);

  describe("displayed values", () => {
    const sandbox = share();
    const show = async (code: string): Promise<readonly RunOutput[]> =>
      (await runOk(sandbox(), code)).results;
    const tableOf = async (code: string): Promise<Table | undefined> =>
      (await show(`import pandas as pd, numpy as np\n${code}`))[0]?.table;

    it.runIf(hasMagics)("show JSON as data, with null for what JSON has no word for", async () => {
      const [output] = await show(`
from IPython.display import JSON
JSON({"a": float("nan"), "b": [float("inf"), 1.5]})
`);
      expect(output?.json).toEqual({ a: null, b: [null, 1.5] });
      expect(output?.table).toBeUndefined();
    });

    it.runIf(has("pandas"))("show a DataFrame as data, as text and as HTML", async () => {
      const [output] = await show(`
import pandas as pd
pd.DataFrame({"city": ["Oslo", "Bergen", None], "sales": [1.5, None, 3.0], "day": pd.to_datetime(["2026-01-01", None, "2026-01-03"])})
`);
      expect(output).toMatchObject({ isMain: true, text: expect.stringContaining("Bergen") });
      expect(output?.html).toContain("<table");
      expect(output?.table).toMatchObject({ totalRows: 3, totalColumns: 3 });
      expect(output?.table?.columns.map((column) => column.name)).toEqual(["city", "sales", "day"]);
      expect(output?.table?.columns.map((column) => column.dtype)).toEqual([
        expect.stringMatching(/^(object|str|string)/),
        "float64",
        expect.stringMatching(/^datetime64/),
      ]);
      expect(output?.table?.rows).toEqual([
        ["Oslo", 1.5, expect.stringMatching(/^2026-01-01/)],
        ["Bergen", null, null],
        [null, 3, expect.stringMatching(/^2026-01-03/)],
      ]);
    });

    it.runIf(has("pandas"))("give the first rows of a long table and its true length", async () => {
      const table = await tableOf("pd.DataFrame({'n': np.arange(100_000)})");
      expect(table).toMatchObject({ totalRows: 100_000, totalColumns: 1 });
      expect(table?.rows.length).toBeGreaterThan(0);
      expect(table?.rows.length).toBeLessThan(100_000);
      expect(table?.rows.slice(0, 3)).toEqual([[0], [1], [2]]);
    });

    it.runIf(has("pandas"))("give the labels of an index that says more than a position", async () => {
      const code = "pd.DataFrame({'sales': [1, 2]}, index=pd.Index(['Oslo', 'Bergen'], name='city'))";
      expect(await tableOf(code)).toMatchObject({
        rows: [[1], [2]],
        index: ["Oslo", "Bergen"],
        indexNames: ["city"],
      });
      expect((await tableOf("pd.DataFrame({'sales': [1, 2]})"))?.index).toBeUndefined();
    });

    it.runIf(has("pandas")).each([
      ["no rows", "pd.DataFrame({'a': []})", { totalRows: 0, totalColumns: 1, rows: [] }],
      ["the same column name twice", "pd.DataFrame([[1, 2]], columns=['a', 'a'])", { rows: [[1, 2]] }],
      ["numbers as column names", "pd.DataFrame([[5]], columns=[2026])", { columns: [{ name: "2026" }] }],
      [
        "text, lists and infinities",
        "pd.DataFrame({'a': [[1]], 'b': [np.inf], 'c': [True]})",
        { totalRows: 1 },
      ],
      [
        "two header rows",
        "pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([('a', 'b')]))",
        { rows: [[1]] },
      ],
    ])("show a table with %s", async (_, code, expected) => {
      expect(await tableOf(code)).toMatchObject(expected);
    });

    it.runIf(has("matplotlib"))("show an open figure as a PNG, once", async () => {
      const [figure, ...more] = await show("import matplotlib.pyplot as plt\n_ = plt.plot([1, 2, 3])");
      expect(isPng(figure)).toBe(true);
      expect([more, await show("1;")]).toEqual([[], []]);
    });

    it.runIf(has("matplotlib"))("show every open figure", async () => {
      const outputs = await show(
        "import matplotlib.pyplot as plt\nfor n in range(3):\n    plt.figure()\n    plt.plot([n])",
      );
      expect(outputs.map(isPng)).toEqual([true, true, true]);
    });

    it.runIf(has("matplotlib"))("show a figure where the code shows it", async () => {
      const outputs = await show("import matplotlib.pyplot as plt\nplt.plot([1])\nplt.show()\n'after'");
      expect(outputs.map((output) => isPng(output) || output.text)).toEqual([true, "'after'"]);
    });

    it.runIf(has("matplotlib"))("do not show a figure that was closed", async () => {
      expect(
        await show(
          "import matplotlib.pyplot as plt\nplt.plot([1])\nplt.savefig('plot.png')\nplt.close('all')",
        ),
      ).toEqual([]);
    });

    it.runIf(hasMagics).each<[string, string, Partial<RunOutput>]>([
      ["HTML", "HTML('<b>bold</b>')", { html: "<b>bold</b>" }],
      ["Markdown", "Markdown('# title')", { markdown: "# title" }],
      ["LaTeX", "Latex('$x^2$')", { latex: "$x^2$" }],
      ["JSON", "JSON({'a': [1, None, 'ü']})", { json: { a: [1, null, "ü"] } }],
      ["SVG", "SVG('<svg xmlns=\"http://www.w3.org/2000/svg\"/>')", { svg: expect.stringContaining("<svg") }],
    ])("show %s", async (_, code, expected) => {
      expect(await show(`from IPython.display import *\n${code}`)).toMatchObject([
        { isMain: true, ...expected },
      ]);
    });

    it("show an object in the forms it offers itself", async () => {
      const code =
        "class Note:\n    def _repr_html_(self): return '<i>hi</i>'\n    def __repr__(self): return 'hi'\nNote()";
      expect(await show(code)).toMatchObject([{ isMain: true, text: "hi", html: "<i>hi</i>" }]);
    });

    it("pass further media types on", async () => {
      const code = "display({'application/x-atoll': {'a': 1}, 'text/plain': 'plain'}, raw=True)";
      expect(await show(code)).toMatchObject([
        { isMain: false, text: "plain", extra: { "application/x-atoll": { a: 1 } } },
      ]);
    });

    it("tell what was displayed on the way from the last expression", async () => {
      const outputs = await show("display('first')\ndisplay('second')\n'last'");
      expect(outputs.map(({ isMain, text }) => [isMain, text])).toEqual([
        [false, "'first'"],
        [false, "'second'"],
        [true, "'last'"],
      ]);
    });
  });
}

function isPng(output: RunOutput | undefined): boolean {
  const bytes = Buffer.from(output?.png ?? "", "base64");
  return bytes.subarray(0, 8).equals(Buffer.from("89504e470d0a1a0a", "hex")) && bytes.length > 1000;
}
