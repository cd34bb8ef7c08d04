import type { SandboxHandle } from "@atoll/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bench, openBench, problemOf, tableOf, types } from "./tables.harness.ts";
import { loadTables } from "./load-tables.ts";
import type { DataProfile } from "@atoll/protocol";

const chinese = "城市,类别,金额\\n北京,食品杂货,12.5\\n上海,交通,3\\n广州,房租,1980\\n";
const taiwanese = "城市,類別,金額\\n臺北,食品雜貨,12.5\\n高雄,交通,3\\n香港,娛樂,33\\n";
const japanese = "都市,カテゴリ,金額\\n東京,しょくりょう,100\\n大阪,交通費,20\\n";
const french = "ville,prix\\nOrléans,12 €\\nBéziers,3 €\\nCafé à l’œuvre,5 €\\n";

const made: Record<string, string> = {
  "utf8-bom.csv": `"${chinese}".encode("utf-8-sig")`,
  "utf16.csv": `"${chinese}".encode("utf-16")`,
  "utf16-le.csv": `"${chinese}".encode("utf-16-le")`,
  "utf16-be.csv": `"${chinese}".encode("utf-16-be")`,
  "gbk.csv": `"${chinese}".encode("gbk")`,
  "big5.csv": `"${taiwanese}".encode("big5")`,
  "sjis.csv": `"${japanese}".encode("shift_jis")`,
  "cp1252.csv": `"${french}".encode("cp1252")`,
  "latin1.csv": `"name,city\\nJosé,Málaga\\nMuñoz,Cádiz\\n".encode("latin-1")`,
  "broken-utf8.csv": `("name,city\\n" + "José,Málaga\\n" * 50).encode() + b"x\\xffy,z\\n"`,
  "late-gbk.csv": `("city,n\\n" + "Oslo,1\\n" * 50000 + "北京上海广州深圳,2\\n").encode("gbk")`,
  "one-sheet.xlsx": `(lambda b: (pd.DataFrame({"city": ["Oslo", "Rome"], "day": pd.to_datetime(["2024-01-01", "2024-02-01"]), "n": [1, 2]}).to_excel(b, index=False), b.getvalue())[1])(io.BytesIO())`,
  "sheets.xlsx": `(lambda b: ((lambda w: (pd.DataFrame({"a": [1, None], "b": ["x", "y"]}).to_excel(w, sheet_name="First one", index=False), pd.DataFrame({"zip": ["01234", "98765"], "price": ["$1,200.50", "$3"]}).to_excel(w, sheet_name="第二", index=False), pd.DataFrame().to_excel(w, sheet_name="empty"), w.close()))(pd.ExcelWriter(b, engine="openpyxl")), b.getvalue())[1])(io.BytesIO())`,
  "titled.xlsx": `(lambda b: (pd.DataFrame([["Report of 2024", None, None], [None, None, None], ["city", "n", "ok"], ["Oslo", 1, True], ["Rome", 2, False]]).to_excel(b, index=False, header=False), b.getvalue())[1])(io.BytesIO())`,
  "really-a-workbook.csv": `(lambda b: (pd.DataFrame({"a": [1]}).to_excel(b, index=False), b.getvalue())[1])(io.BytesIO())`,
  "old.xls": `bytes.fromhex("d0cf11e0a1b11ae1") + bytes(2000)`,
  "locked.xlsx": `bytes.fromhex("d0cf11e0a1b11ae1") + bytes(2000)`,
  "picture.csv": `bytes(range(256)) * 40`,
  "broken.xlsx": `b"PK\\x03\\x04" + bytes(range(200))`,
};

const written: Record<string, string> = {
  "semicolon.csv": "name;amount\nAnn;1.234,56\nBob;7,5\nEve;-0,25\n",
  "tabs.tsv": "a\tb\n1, 2\tx\n3, 4\ty\n",
  "pipes.csv": "a|b\nx, y|1\nz|2\n",
  "blanks.csv": "name      age\nJohn Doe  12\nJane Roe  13\n",
  "quoted.csv": 'id,text\n1,"two\nlines, one cell"\n2,"say ""hi"""\n',
  "junk.csv": "Sales report\nmade on Monday\n\ncity,amount,n\nOslo,1.5,2\nRome,2.5,3\n",
  "comments.csv": "# made by a machine\n# see, more\na,b,c\n1,2,3\n",
  "no-header.csv": "1,2024-01-01,x\n2,2024-01-02,y\n",
  "doubled.csv": "a,a,b,\n1,2,3,\n4,5,6,\n",
  "ragged.csv": "a,b,c\n1,2,3\n4,5\n6,7,8,9\n10,11,12\n",
  "open-quote.csv": `id,text\n1,"never closed\n${"2,x\n".repeat(300)}`,
  "header-only.csv": "a,b,c\n",
  "empty.csv": "",
  "blank.csv": "\n\n  \n",
  "old-mac.csv": "a,b\r1,2\r3,4\r",
  "declared.csv": "sep=;\na;b\n1;2\n",
  "text.xls": "a\tb\n1\t2\n",
  "notes.txt": "Dear all,\nplease find the data attached.\n",
  "table.txt": "a;b\n1;2\n3;4\n5;6\n",
  "records.json": JSON.stringify([
    { id: 1, at: "2024-01-31", who: { name: "Ann", home: { city: "Oslo" } }, tags: ["a"] },
    { id: 2, at: "2024-02-01", who: { name: "Bob" }, extra: true },
  ]),
  "wrapped.json": JSON.stringify({ count: 2, data: [{ a: 1 }, { a: 2.5 }] }),
  "keyed.json": JSON.stringify({ Oslo: { pop: 1, x: "a" }, Rome: { pop: 2, x: "b" } }),
  "columns.json": JSON.stringify({ a: [1, 2], b: ["x", "y"] }),
  "settings.json": JSON.stringify({ server: { port: 1 }, name: "x", debug: false }),
  "deep.json": "[".repeat(100_000),
  "cut.json": '[{"a": 1}, {"a":',
  "lines.jsonl": '{"a": 1, "b": "x"}\n\n{"a": 2}\nnot json\n{"a": 3, "b": "z"}\n',
  "lines-inside.json": '{"a": 1}\n{"a": 2}\n',
  "picture.png": "not a table",
};

describe("the files of a thread", () => {
  let bench: Bench;
  let sandbox: SandboxHandle;
  let data: DataProfile;
  beforeAll(async () => {
    bench = await openBench();
    sandbox = await bench.open({ ...written, ...(await bench.bytes(made)) });
    await sandbox.files.write("/data/outputs/chart.csv", "a\n1\n");
    data = await loadTables(sandbox, { order: ["tabs.tsv"] });
  });
  afterAll(() => bench.close());

  it("are all accounted for, and outputs are not among them", () => {
    const names = new Set([...data.tables, ...data.others].map(({ file }) => file.replace("/data/", "")));
    expect([...names].toSorted()).toEqual([...Object.keys(written), ...Object.keys(made)].toSorted());
  });

  it.each([
    ["utf8-bom.csv", "utf-8-sig", "城市", "北京"],
    ["utf16.csv", "utf-16", "城市", "北京"],
    ["utf16-le.csv", "utf-16-le", "城市", "北京"],
    ["utf16-be.csv", "utf-16-be", "城市", "北京"],
    ["gbk.csv", "gb18030", "城市", "北京"],
    ["big5.csv", "big5", "城市", "臺北"],
    ["sjis.csv", "cp932", "都市", "東京"],
    ["cp1252.csv", "cp1252", "ville", "Orléans"],
    ["latin1.csv", "cp1252", "name", "José"],
    ["broken-utf8.csv", "utf-8", "name", "José"],
  ])("%s is read as %s", (name, encoding, column, value) => {
    const table = tableOf(data, name);
    expect([table.encoding, table.columns[0]?.name, table.sample[0]?.[0]]).toEqual([encoding, column, value]);
  });

  it("has its encoding found by what comes late in it", () => {
    const { encoding, columns } = tableOf(data, "late-gbk.csv");
    expect([encoding, columns[0]?.values]).toEqual(["gb18030", ["Oslo", "北京上海广州深圳"]]);
  });

  it("says when bytes are broken", () => {
    expect(tableOf(data, "broken-utf8.csv").notes.join()).toMatch(/bytes are not valid/);
  });

  it.each([
    ["semicolon.csv", ";", "name:str amount:float64", ["Ann", 1234.56]],
    ["tabs.tsv", "\t", "a:str b:str", ["1, 2", "x"]],
    ["pipes.csv", "|", "a:str b:int64", ["x, y", 1]],
    ["blanks.csv", "white space", "name:str age:int64", ["John Doe", 12]],
    ["quoted.csv", ",", "id:int64 text:str", [1, "two\nlines, one cell"]],
    ["junk.csv", ",", "city:str amount:float64 n:int64", ["Oslo", 1.5, 2]],
    ["comments.csv", ",", "a:int64 b:int64 c:int64", [1, 2, 3]],
    ["old-mac.csv", ",", "a:int64 b:int64", [1, 2]],
    ["declared.csv", ";", "a:int64 b:int64", [1, 2]],
    ["text.xls", "\t", "a:int64 b:int64", [1, 2]],
    ["table.txt", ";", "a:int64 b:int64", [1, 2]],
    ["no-header.csv", ",", "column_1:int64 column_2:datetime64[us] column_3:str", [1, "2024-01-01", "x"]],
    ["doubled.csv", ",", "a:int64 a.1:int64 b:int64", [1, 2, 3]],
    ["header-only.csv", ",", "a:str b:str c:str", undefined],
  ])("%s has the separator %j", (name, separator, columns, firstRow) => {
    const table = tableOf(data, name);
    expect([table.separator, types(table), table.sample[0]]).toEqual([separator, columns, firstRow]);
  });

  it("counts what it repairs and what it leaves out", () => {
    const ragged = tableOf(data, "ragged.csv");
    expect([ragged.rows, ragged.loaded_rows]).toEqual([3, 3]);
    expect(ragged.notes).toEqual([
      "1 row with too few fields filled up with missing values",
      "1 row with too many fields skipped, e.g. '6|7|8|9'",
    ]);
    expect(tableOf(data, "open-quote.csv")).toMatchObject({ rows: 301 });
    expect(tableOf(data, "open-quote.csv").notes.join()).toMatch(/quotes are not balanced/);
    expect(tableOf(data, "junk.csv").notes).toEqual(["2 lines above the table skipped"]);
    expect(tableOf(data, "doubled.csv").notes).toEqual([
      "column names that occur twice got a number: a",
      "1 empty column without a name left out",
    ]);
  });

  it("reads JSON in the forms that tables come in", () => {
    const records = tableOf(data, "records.json");
    expect(types(records)).toBe(
      "id:int64 at:datetime64[us] who.name:str who.home.city:str tags:str extra:boolean",
    );
    expect(records.sample[0]).toEqual([1, "2024-01-31", "Ann", "Oslo", '["a"]', null]);
    expect(types(tableOf(data, "wrapped.json"))).toBe("a:float64");
    expect(types(tableOf(data, "keyed.json"))).toBe("key:str pop:int64 x:str");
    expect(types(tableOf(data, "columns.json"))).toBe("a:int64 b:str");
    expect(tableOf(data, "lines.jsonl")).toMatchObject({ format: "jsonl", rows: 3 });
    expect(tableOf(data, "lines.jsonl").notes.join()).toMatch(/not valid JSON skipped, the first is line 4/);
    expect(tableOf(data, "lines-inside.json")).toMatchObject({ format: "jsonl", rows: 2 });
  });

  it("reads every sheet of a workbook", () => {
    const one = tableOf(data, "one-sheet.xlsx");
    expect([types(one), one.sheet, one.sample[0]]).toEqual([
      "city:str day:datetime64[us] n:int64",
      "Sheet1",
      ["Oslo", "2024-01-01", 1],
    ]);
    expect(types(tableOf(data, "sheets.xlsx · First one"))).toBe("a:float64 b:str");
    const second = tableOf(data, "sheets.xlsx · 第二");
    expect([second.variable, second.sample[0]]).toEqual(["sheets_第二", ["01234", 1200.5]]);
    expect(types(tableOf(data, "titled.xlsx"))).toBe("city:str n:int64 ok:bool");
    expect(tableOf(data, "really-a-workbook.csv").format).toBe("excel");
  });

  it.each([
    ["empty.csv", /is empty/],
    ["blank.csv", /no rows/],
    ["picture.csv", /binary/],
    ["old.xls", /\.xls.*cannot be read.*save it as/],
    ["locked.xlsx", /password/],
    ["broken.xlsx", /not an Excel workbook/],
    ["settings.json", /JSON, but no table: an object with "server", "name"/],
    ["deep.json", /nested too deeply/],
    ["cut.json", /not valid JSON/],
    ["picture.png", undefined],
    ["notes.txt", undefined],
  ])("%s is listed with its problem", (name, problem) => {
    if (problem) expect(problemOf(data, name)).toMatch(problem);
    else expect(problemOf(data, name)).toBeUndefined();
  });

  it("are variables of the kernel, the first also as df, and nothing else is", async () => {
    expect(tableOf(data, "tabs.tsv")).toMatchObject({ variable: "df", alias: "tabs" });
    const run = await sandbox.python.run(
      `print(sorted(n for n in dir() if n[0] != "_"), df is tabs, semicolon.amount.sum(), pd.__name__, np.__name__, plt.__name__)`,
    );
    const hidden = ["In", "Out", "exit", "get_ipython", "quit", "open"];
    const known = [...data.tables.map(({ variable }) => variable), "tabs", "pd", "np", "plt", ...hidden];
    const names = run.stdout.slice(0, run.stdout.indexOf("]")).match(/[^[\]', ]+/g) ?? [];
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
    expect(run.stdout).toContain("True 1241.81 pandas numpy matplotlib.pyplot");
  });
});

describe("files that are added to a thread", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench();
  });
  afterAll(() => bench.close());

  it("are read alone: tables that the kernel has stay as they are", async () => {
    const both = await bench.open({ "one.csv": "a\n1\n", "two.csv": "b\n2\n", "notes.txt": "hello" });
    const order = ["one.csv", "notes.txt", "two.csv"];
    const all = await loadTables(both, { order });
    const { tables, others } = all;
    await both.python.run("df['mine'] = 1\ndel two");
    const known = { tables: tables.filter(({ name }) => name === "one.csv"), others };
    expect(await loadTables(both, { order, known })).toEqual(all);
    const run = await both.python.run("print(list(df.columns), one is df, two.b.sum())");
    expect(run.stdout).toBe("['a', 'mine'] True 2\n");
  });
});
