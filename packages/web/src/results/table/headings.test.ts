import { describe, expect, it } from "vitest";
import { readHeadings } from "./headings.ts";

const columns = [
  { name: "a", dtype: "int64" },
  { name: "a", dtype: "object" },
];

describe("table headings", () => {
  it("tells columns of the same name apart by position", () => {
    expect(readHeadings({ columns }).map(({ sortName }) => sortName)).toEqual(["a", "#1"]);
  });

  it("puts the index first; a level without a name cannot be sorted", () => {
    const headings = readHeadings({ columns, index: [["x", 1]], index_names: ["city", null] });
    expect(headings.map(({ column, name, sortName }) => [column, name, sortName])).toEqual([
      [-1, "city", "city"],
      [-2, "", undefined],
      [0, "a", "a"],
      [1, "a", "#1"],
    ]);
  });
});
