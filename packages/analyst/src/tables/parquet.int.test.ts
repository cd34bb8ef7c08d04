import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bench, openBench, problemOf, tableOf } from "./tables.harness.ts";
import { loadTables } from "./load-tables.ts";
import type { DataProfile } from "@atoll/protocol";

const typed = `pd.DataFrame({"day": pd.to_datetime(["2024-01-01", None]), "n": [1.5, float("nan")],
  "tags": [["a"], ["b", "c"]], "code": ["007", "008"], "on": ["2024-05-01", "2024-05-02"]})`;
const toBytes = (frame: string): string =>
  `(lambda b: (${frame}.to_parquet(b), b.getvalue())[1])(io.BytesIO())`;

// Also on the host driver, whose paths are not /data: where the files are is the sandbox's to say.
describe.each(["auto", "host"])("Parquet files (%s)", (runtime) => {
  let bench: Bench;
  let data: DataProfile;
  beforeAll(async () => {
    bench = await openBench(runtime);
    const files = await bench.bytes({
      "typed.parquet": toBytes(typed),
      "indexed.parquet": toBytes(`pd.DataFrame({"a": [1, 2]}, index=pd.Index(["x", "y"], name="key"))`),
      "cut.parquet": `${toBytes(typed)}[:-20]`,
      "broken.parquet": `b"PAR1" + bytes(range(200)) + b"PAR1"`,
    });
    data = await loadTables(await bench.open(files));
  });
  afterAll(() => bench.close());

  it("keep their types, and texts that are dates become dates", () => {
    const table = tableOf(data, "typed.parquet");
    expect(table.columns.map(({ name, kind }) => `${name}:${kind}`)).toEqual([
      "day:date",
      "n:number",
      "tags:text",
      "code:text",
      "on:date",
    ]);
    expect(table.sample).toEqual([
      ["2024-01-01", 1.5, '["a"]', "007", "2024-05-01"],
      [null, null, '["b", "c"]', "008", "2024-05-02"],
    ]);
  });

  it("have their index as a column", () => {
    expect(tableOf(data, "indexed.parquet").columns.map(({ name }) => name)).toEqual(["key", "a"]);
  });

  it.each(["cut.parquet", "broken.parquet"])("that are damaged are listed: %s", (name) => {
    expect(problemOf(data, name)).toMatch(/not a sound Parquet file/);
  });
});
