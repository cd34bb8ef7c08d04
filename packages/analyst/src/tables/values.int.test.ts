import type { SandboxHandle } from "@atoll/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bench, openBench, tableOf } from "./tables.harness.ts";
import { loadTables } from "./load-tables.ts";
import type { DataProfile } from "@atoll/protocol";

/** Column → its cells, its type, and the first of them as they are read. */
const columns: Record<string, [cells: string[], dtype: string, read: unknown[]]> = {
  whole: [["1", "2", "-3"], "int64", [1, 2, -3]],
  gaps: [["1", "", "3"], "float64", [1, null, 3]],
  missing: [["1.5", "n/a", "-"], "float64", [1.5, null, null]],
  tokens: [["x", "NA", "null"], "str", ["x", null, null]],
  scientific: [["1e5", "2.5E-3", "7"], "float64", [100000, 0.0025, 7]],
  thousands: [["1,234", "2,345,678", "5"], "int64", [1234, 2345678, 5]],
  dollars: [["$1,234.50", "$3", "-$2.5"], "float64", [1234.5, 3, -2.5]],
  accounting: [["(1,200.50)", "300.00", "5-"], "float64", [-1200.5, 300, -5]],
  percent: [["12%", "5.5 %", "0%"], "float64", [12, 5.5, 0]],
  swiss: [["1'234.5", "2", "3"], "float64", [1234.5, 2, 3]],
  zip: [["12345", "90210", "33333"], "str", ["12345", "90210", "33333"]],
  padded: [["00123", "00456", "99999"], "str", ["00123", "00456", "99999"]],
  phone: [["+4912345678", "+4922222222", "+4933333333"], "str", ["+4912345678"]],
  long_id: [["12345678901234567890", "1", "2"], "str", ["12345678901234567890"]],
  large: [["9007199254740993", "", "1"], "Int64", ["9007199254740993", null, 1]],
  flag: [["yes", "no", "Yes"], "bool", [true, false, true]],
  flag_gap: [["TRUE", "", "false"], "boolean", [true, null, false]],
  letters: [["Y", "N", "Y"], "bool", [true, false, true]],
  iso: [["2024-01-31", "2024-02-01", ""], "datetime64[us]", ["2024-01-31", "2024-02-01", null]],
  unpadded: [["2024-1-5", "2024-11-15", "2024-2-3"], "datetime64[us]", ["2024-01-05", "2024-11-15"]],
  with_time: [["2024-01-31 10:15", "2024-02-01 11:00", ""], "datetime64[us]", ["2024-01-31T10:15:00"]],
  zoned: [
    ["2024-01-31T10:00:00Z", "2024-02-01T10:00:00+02:00", ""],
    "datetime64[us, UTC]",
    ["2024-01-31T10:00:00+00:00", "2024-02-01T08:00:00+00:00", null],
  ],
  day_first: [["31/12/2024", "01/02/2024", "3/4/2024"], "datetime64[us]", ["2024-12-31", "2024-02-01"]],
  month_first: [["12/31/2024", "01/02/2024", "3/4/2024"], "datetime64[us]", ["2024-12-31", "2024-01-02"]],
  german: [["01.02.2024", "13.04.2024", "05.06.2024"], "datetime64[us]", ["2024-02-01", "2024-04-13"]],
  contradictory: [["31/12/2024", "12/31/2024", "1/1/2024"], "str", ["31/12/2024"]],
  american: [
    ["1/2/2024 3:04 PM", "12/13/2024 11:00 AM", ""],
    "datetime64[us]",
    ["2024-01-02T15:04:00", "2024-12-13T11:00:00"],
  ],
  named_month: [["Jan 5 2024", "Feb 6 2024", "Dec 24 2023"], "datetime64[us]", ["2024-01-05"]],
  day_name: [
    ["5 January 2024", "06-Feb-2024", "24 Dec 2023"],
    "datetime64[us]",
    ["2024-01-05", "2024-02-06"],
  ],
  year_month: [["2024-01", "2024-02", "2024-03"], "datetime64[us]", ["2024-01-01", "2024-02-01"]],
  order_date: [["20240131", "20240201", "20240229"], "datetime64[us]", ["2024-01-31", "2024-02-01"]],
  month: [["202401", "202402", "202403"], "datetime64[us]", ["2024-01-01", "2024-02-01"]],
  order_id: [["20240131", "20240201", "20240229"], "int64", [20240131]],
  year: [["2023", "2024", "2022"], "int64", [2023]],
  chinese: [
    ["2024年1月5日", "2024年12月5日", "2023年3月1日"],
    "datetime64[us]",
    ["2024-01-05", "2024-12-05"],
  ],
  impossible: [["2024-13-45", "2024-01-01", "2024-02-02"], "str", ["2024-13-45"]],
  address: [["192.168.0.1", "10.0.0.1", "127.0.0.1"], "str", ["192.168.0.1"]],
  clock: [["12:30", "13:40", "09:15"], "str", ["12:30"]],
  ratio: [["1/2", "3/4", "5/6"], "str", ["1/2"]],
  mixed: [["1", "abc", "2"], "str", ["1", "abc", "2"]],
  edges: [["  a", "b  ", " c "], "str", ["a", "b", "c"]],
  empty: [["", "", ""], "float64", [null, null, null]],
};

const names = Object.keys(columns);
const quoteCell = (cell: string): string => `"${cell}"`;
const csv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map(quoteCell).join(",")).join("\n");
const numbered = (count: number, cell: (number: number) => string): string =>
  Array.from({ length: count }, (_, number) => `${number},${cell(number)}`).join("\n");

const files = {
  "all.csv": csv([names, ...[0, 1, 2].map((row) => names.map((name) => columns[name]?.[0][row] ?? ""))]),
  "ambiguous.csv": "when,n\n01/02/2024,1\n03/04/2024,2\n",
  "hinted.csv": "paid,due\n31/12/2024,01/02/2024\n30/11/2024,03/04/2024\n",
  "european.csv": "a;b\n1,234;1.234\n3,5;5\n",
  "strays.csv": `id,score\n${numbered(200, (number) => (number === 50 ? "error" : String(number)))}\n`,
  "countries.csv": `code\n${["NA", "US", "DE", "FR", "IT", "ES", "NO", "SE", "FI", "DK", "PL"].join("\n")}\n`,
  "kinds.csv": `id,city,remark,flag\n${numbered(300, (number) => `${["Oslo", "Rome"][number % 2]},text ${number},${number % 2 ? "yes" : "no"}`)}\n`,
};

describe("the values of a column", () => {
  let bench: Bench;
  let sandbox: SandboxHandle;
  let data: DataProfile;
  beforeAll(async () => {
    bench = await openBench();
    sandbox = await bench.open(files);
    data = await loadTables(sandbox);
  });
  afterAll(() => bench.close());

  it.each(names)("are read for what they are: %s", (name) => {
    const { columns: found, sample } = tableOf(data, "all.csv");
    const position = found.findIndex((column) => column.name === name);
    const [, dtype, read] = columns[name] ?? [];
    expect(found[position]?.dtype).toBe(dtype);
    expect(sample.map((row) => row[position]).slice(0, read?.length)).toEqual(read);
  });

  it("come with notes where a sign was dropped or a choice was made", () => {
    expect(tableOf(data, "all.csv").notes).toEqual([
      "'dollars': numbers without their signs ($)",
      "'percent': numbers without their signs (%; 12 % is 12)",
      "'zoned': times with a zone, all given in UTC",
      "'contradictory': days and months change places within the column, so it stays text",
    ]);
    expect(tableOf(data, "ambiguous.csv").notes).toEqual([
      "'when': the order of day and month is not certain; read as month/day/year",
    ]);
  });

  it("follow what another column of the table says about days and months", () => {
    expect(tableOf(data, "hinted.csv").sample[0]).toEqual(["2024-12-31", "2024-02-01"]);
  });

  it("follow the table's decimal comma", () => {
    expect(tableOf(data, "european.csv").sample).toEqual([
      [1.234, 1234],
      [3.5, 5],
    ]);
  });

  it("are numbers in spite of a stray word, which is noted", () => {
    const { columns: found, notes } = tableOf(data, "strays.csv");
    expect(found[1]).toMatchObject({ dtype: "float64", missing: 1, min: 0, max: 199 });
    expect(notes).toEqual(["'score': 1 cell without a number ('error') set to missing"]);
  });

  it("keep NA among codes of countries", () => {
    expect(tableOf(data, "countries.csv").columns[0]).toMatchObject({ missing: 0, distinct: 11 });
  });

  it("give each column a kind for the analyst", () => {
    const table = tableOf(data, "kinds.csv");
    expect(table.columns.map(({ kind }) => kind)).toEqual(["number", "category", "text", "boolean"]);
    expect(table.columns[0]).toMatchObject({ min: 0, max: 299, mean: 149.5, distinct: 300, missing: 0 });
    expect(table.columns[1]?.values).toEqual(["Oslo", "Rome"]);
    expect(table.columns[2]?.values).toHaveLength(50);
    expect(table.duplicate_rows).toBe(0);
  });
});
