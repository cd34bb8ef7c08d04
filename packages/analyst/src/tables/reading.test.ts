import type { DataProfile } from "@atoll/protocol";
import { tableProfileSchema } from "@atoll/protocol/schemas";
import { describe, expect, it } from "vitest";
import { profileMime } from "./program.ts";
import { Reading } from "./reading.ts";

const files = [
  { file: "/data/a.csv", name: "a.csv", size_bytes: 1 },
  { file: "/data/b.csv", name: "b.csv", size_bytes: 2 },
];
const table = {
  file: "/data/a.csv",
  name: "a.csv",
  variable: "df",
  format: "csv",
  rows: 1,
  loaded_rows: 1,
  columns: [{ name: "x", dtype: "int64", kind: "number", missing: 0, samples: [1] }],
  sample: [[1]],
  notes: [],
};
const take = (reading: Reading, message: unknown): void =>
  reading.take({ isMain: false, extra: { [profileMime]: message } });
const begun = (): Reading => {
  const reading = new Reading();
  take(reading, { files });
  return reading;
};

describe("what comes out of a kernel", () => {
  it("is complete when every file has its message", () => {
    const reading = begun();
    take(reading, { number: 0, tables: [table], variables: ["a"] });
    expect(reading.isComplete).toBe(false);
    take(reading, { number: 1, tables: [], problem: "empty" });
    expect(reading.isComplete).toBe(true);
    expect(reading.finish()).toMatchObject({
      tables: [{ name: "a.csv" }],
      others: [{ name: "b.csv", problem: "empty" }],
    });
  });

  it.each([
    ["no message", "hello"],
    ["a file that is not there", { number: 7, tables: [table] }],
    ["a second list of files", { files: [] }],
    ["nothing", undefined],
  ])("is passed over when it is %s", (_, message) => {
    const reading = begun();
    take(reading, message);
    expect(reading.done).toEqual([]);
    expect(reading.finish("late").others).toHaveLength(2);
  });

  it("is about its own file, whatever it claims", () => {
    const reading = begun();
    take(reading, { number: 0, tables: [{ ...table, file: "/etc/passwd" }] });
    expect(reading.finish().tables[0]?.file).toBe("/data/a.csv");
  });

  it("cannot name a variable that is none", () => {
    const reading = begun();
    take(reading, { number: 0, tables: [{ ...table, variable: "x; import os" }] });
    expect(reading.finish().tables[0]).not.toHaveProperty("variable");
  });

  it.each([
    ["columns that are no list", { ...table, columns: "x" }],
    ["a negative count", { ...table, rows: -1 }],
    ["another format", { ...table, format: "exe" }],
  ])("is a problem of its file when it has %s", (_, broken) => {
    const reading = begun();
    take(reading, { number: 0, tables: [broken] });
    expect(reading.finish().others[0]).toMatchObject({
      name: "a.csv",
      problem: "its description makes no sense",
    });
  });

  it("is cut: long texts, long lists, numbers that are none", () => {
    const reading = begun();
    const column = {
      ...table.columns[0],
      name: "n".repeat(9999),
      samples: Array.from({ length: 99 }, () => Number.NaN),
    };
    take(reading, { number: 0, tables: [{ ...table, columns: Array.from({ length: 900 }, () => column) }] });
    const [first] = reading.finish().tables;
    expect(first?.columns).toHaveLength(500);
    expect(first?.columns[0]?.name).toHaveLength(300);
    expect(first?.columns[0]?.samples).toEqual(Array.from({ length: 10 }, () => null));
  });

  it("is read again without the file that ended the kernel", () => {
    const reading = begun();
    take(reading, { number: 0, tables: [table], variables: ["a"] });
    expect(reading.blame("too large", true)).toBe(true);
    expect(reading.done).toEqual([1]);
    expect(reading.taken).toEqual([]);
    take(reading, { number: 0, tables: [table], variables: ["a"] });
    expect(reading.finish()).toMatchObject({
      tables: [{}],
      others: [{ name: "b.csv", problem: "too large" }],
    });
  });
});

describe("a reading of files of which some are known", () => {
  const known: DataProfile = {
    tables: [{ ...tableProfileSchema.parse(table), alias: "a" }],
    others: [],
  };

  it("keeps what is known, and only reads the others", () => {
    const reading = new Reading(known);
    expect([reading.known, reading.taken]).toEqual([["/data/a.csv"], ["a"]]);
    take(reading, { files });
    expect([reading.known, reading.done, reading.taken, reading.isLast]).toEqual([[], [0], ["a"], true]);
    take(reading, { number: 1, tables: [{ ...table, name: "b.csv", variable: "b" }], variables: ["b"] });
    expect(reading.isComplete).toBe(true);
    expect(reading.finish().tables).toMatchObject([
      { name: "a.csv", variable: "df", alias: "a" },
      { name: "b.csv", variable: "b", file: "/data/b.csv" },
    ]);
  });

  it("reads them all when the kernel with the known tables has ended", () => {
    const reading = new Reading(known);
    take(reading, { files });
    reading.blame("reading it needs more memory than the sandbox has", true);
    expect([reading.known, reading.done, reading.taken]).toEqual([[], [1], []]);
  });
});
