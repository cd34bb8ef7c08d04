import { expect, it } from "vitest";
import { readHeadings } from "./headings.ts";

const columns = [
  { name: "a", dtype: "int64" },
  { name: "a", dtype: "object" },
];

it("tells columns of the same name apart by where they are", () => {
  expect(readHeadings({ columns }).map(({ sortName }) => sortName)).toEqual(["a", "#1"]);
});

it("puts the levels of the index first; one without a name cannot be sorted by", () => {
  const headings = readHeadings({ columns, index: [["x", 1]], index_names: ["city", null] });
  expect(headings.map(({ column, name, sortName }) => [column, name, sortName])).toEqual([
    [-1, "city", "city"],
    [-2, "", undefined],
    [0, "a", "a"],
    [1, "a", "#1"],
  ]);
});
