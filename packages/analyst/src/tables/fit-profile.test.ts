import { expect, it } from "vitest";
import { fitProfile } from "./fit-profile.ts";
import type { DataProfile, TableProfile } from "@atoll/protocol";

const table = (columns: number): TableProfile => ({
  file: "/data/a.csv",
  name: "a.csv",
  format: "csv",
  rows: 1,
  loaded_rows: 1,
  columns: Array.from({ length: columns }, (_, number) => ({
    name: `c${number}`,
    dtype: "str",
    kind: "text" as const,
    missing: 0,
    values: Array.from({ length: 50 }, () => "v".repeat(20)),
    samples: ["v"],
  })),
  sample: [Array.from({ length: columns }, () => "v")],
  notes: [],
});
const profile = (tables: number, columns: number): DataProfile => ({
  tables: Array.from({ length: tables }, () => table(columns)),
  others: [],
});

it("a profile of usual size stays as it is", () => {
  expect(fitProfile(profile(3, 20))).toEqual(profile(3, 20));
});

it("a very large profile keeps every table, with less of each", () => {
  const fitted = fitProfile(profile(60, 500));
  expect(JSON.stringify(fitted).length).toBeLessThan(2_000_000);
  expect(fitted.tables).toHaveLength(60);
  expect(fitted.tables[0]?.columns).toHaveLength(100);
  expect(fitted.tables[0]?.notes).toEqual(["only the first 100 of 500 columns are described"]);
});
