import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSession, type TestSession } from "../../tool-call.harness.ts";

let session: TestSession;
beforeAll(async () => {
  session = await openSession({
    "sales.csv": "day,amount,city\n2026-01-02,3.5,Oslo\n2026-02-03,,Rome\n",
    "gbk.csv": Buffer.from("s8fK0Cy98LbuCrGxvqksMQo=", "base64"),
    "半角;'\".tsv": "a\tb\n1\t2\n",
    "latin.csv": Buffer.from("nom;prix\nCaf\u00e9a;3\n", "latin1"),
    "rows.jsonl": '{"n": 1}\n{"n": 2}\n',
    "broken.json": "{",
    "readme.md": "# hi",
  });
});
afterAll(() => session.close());

const call: TestSession["call"] = (...given) => session.call(...given);
const text: TestSession["text"] = (...given) => session.text(...given);
const python = async (code: string) => text("execute_python", { code });

describe("datasets", () => {
  it("are listed with their formats, without what runs have made", async () => {
    await session.sandbox.files.write("/data/outputs/made.csv", "a\n1\n");
    const { data } = await call("list_datasets", {});
    expect(data).toContainEqual({
      name: "sales.csv",
      path: "/data/sales.csv",
      size_bytes: 53,
      format: "csv",
    });
    expect(data).toContainEqual({ name: "readme.md", path: "/data/readme.md", size_bytes: 4, format: null });
    expect(data).toHaveLength(7);
  });

  it("are loaded as df, with dates as dates", async () => {
    const said = await text("select_dataset", { name: "sales.csv" });
    expect(said).toMatch(
      /^df: \/data\/sales\.csv, 2 rows, 3 columns\n  'day': datetime64.*\n  'amount': float64, 1 missing/,
    );
    expect(await python("df.day.dt.month.tolist(), df.amount.sum()")).toBe("([1, 2], np.float64(3.5))");
    expect(await python("[name for name in dir() if name in ('REQUEST', 'frame', 'load', 'json')]")).toBe(
      "[]",
    );
  });

  it("are loaded whatever their encoding, separator, name and place", async () => {
    await text("select_dataset", { name: "半角;'\".tsv", variable: "表" });
    expect(await python("表.to_dict('records')")).toBe("[{'a': 1, 'b': 2}]");
    await text("select_dataset", { name: "rows.jsonl", variable: "rows" });
    expect(await python("int(rows.n.sum())")).toBe("3");
    await session.sandbox.files.write("mine.csv", "x;y\n1;2\n");
    await text("select_dataset", { name: "mine.csv" });
    expect(await python("list(df.columns)")).toBe("['x', 'y']");
    expect(await text("select_dataset", { name: "gbk.csv", variable: "gbk" })).toContain("城市");
    expect(await text("select_dataset", { name: "latin.csv", variable: "latin" })).toContain("Caféa");
  });

  it("that cannot be loaded leave df as it was and say why", async () => {
    await text("select_dataset", { name: "sales.csv" });
    expect((await call("select_dataset", { name: "nowhere.csv" })).text).toMatch(/There are: .*sales\.csv/);
    expect((await call("select_dataset", { name: "readme.md" })).text).toContain("not a table");
    expect(await call("select_dataset", { name: "broken.json" })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^\/data\/broken\.json could not be loaded\. ValueError/),
    });
    expect(await call("select_dataset", { name: "sales.csv", variable: "x; import os" })).toMatchObject({
      isError: true,
    });
    expect(await python("len(df)")).toBe("2");
  });

  it("are exported in every format, and read back the same", async () => {
    await python("import pandas as pd\ntotals = df.groupby('city').amount.sum()\nrecords = [{'名': 'x'}]");
    const back = {
      csv: "pd.read_csv('/data/outputs/df.csv', parse_dates=['day'])",
      json: "pd.read_json('/data/outputs/df.json').assign(day=lambda d: pd.to_datetime(d.day).dt.tz_localize(None))",
      xlsx: "pd.read_excel('/data/outputs/df.xlsx')",
      parquet: "pd.read_parquet('/data/outputs/df.parquet')",
    };
    for (const [format, code] of Object.entries(back)) {
      expect(await text("export_datasets", { format })).toContain(`/data/outputs/df.${format}: 2 rows`);
      expect(session.artifacts.at(-1)?.path).toBe(`/data/outputs/df.${format}`);
      expect(
        await python(`pd.testing.assert_frame_equal(${code}, df, check_dtype=False)\nprint('same')`),
      ).toBe("same");
    }
    await text("export_datasets", { variables: ["totals", "records"], folder: "out" });
    expect(await session.sandbox.files.readText("out/totals.csv")).toBe("city,amount\nOslo,3.5\nRome,0.0\n");
    expect(await session.sandbox.files.readText("out/records.csv")).toBe("名\nx\n");
  });

  it("are exported all, or none", async () => {
    for (const variables of [
      ["df", "nothing"],
      ["df", "pd"],
    ]) {
      expect(await call("export_datasets", { variables, folder: "none" })).toMatchObject({ isError: true });
    }
    expect(await session.sandbox.files.list("none")).toEqual([]);
  });
});

describe("todos", () => {
  it("survive a restart of the kernel, and a file that code has spoilt", async () => {
    expect(await text("todo_read", {})).toBe("The list is empty.");
    const todos = [
      { content: "读数据", status: "completed" },
      { content: "plot\nit", status: "pending" },
    ];
    await text("todo_write", { todos });
    await session.sandbox.python.restart();
    expect((await call("todo_read", {})).data).toEqual(todos);
    for (const spoilt of ["{", '[{"content": 1}]', "x".repeat(2 << 20)]) {
      await session.sandbox.files.write("/session/todos.json", spoilt);
      expect(await text("todo_read", {})).toBe("The list is empty.");
    }
  });
});
