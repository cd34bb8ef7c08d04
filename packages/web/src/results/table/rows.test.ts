import { describe, expect, it } from "vitest";
import { filterRows, readRows, sortRows, toDelimited } from "./rows.ts";

const rows = readRows({
  rows: [
    [2, "b"],
    [null, "a"],
    [10, "c"],
  ],
});
const firstCells = (sorted: typeof rows | ReturnType<typeof sortRows>) => sorted.map(({ cells }) => cells[0]);

describe("table rows", () => {
  it("sorts numbers by value, with missing ones last", () => {
    expect(firstCells(sortRows(rows, { column: 0, isDescending: false }))).toEqual([2, 10, null]);
    expect(firstCells(sortRows(rows, { column: 0, isDescending: true }))).toEqual([10, 2, null]);
  });

  it("sorts by a level of the index", () => {
    const labelled = readRows({
      rows: [[1], [2]],
      index: [
        ["x", 2],
        ["x", 1],
      ],
    });
    expect(firstCells(sortRows(labelled, { column: -2, isDescending: false }))).toEqual([2, 1]);
  });

  it("keeps the order if there is no column to sort by", () => {
    expect(sortRows(rows, undefined)).toBe(rows);
  });

  it("finds rows that contain every word, in any cell or label and in any case", () => {
    expect(firstCells(filterRows(rows, "B"))).toEqual([2]);
    expect(firstCells(filterRows(rows, "c 10"))).toEqual([10]);
    expect(filterRows(rows, "c 2")).toEqual([]);
    expect(filterRows(readRows({ rows: [[1]], index: ["North"] }), "north")).toHaveLength(1);
    expect(filterRows(rows, "  ")).toBe(rows);
  });

  it("quotes values that would break a CSV file, and puts the labels first", () => {
    const labelled = readRows({
      rows: [
        ['say "hi"', "x,y"],
        [null, { n: 1 }],
      ],
      index: ["p", "q"],
    });
    expect(toDelimited(["", "a", "b"], labelled, ",")).toBe(',a,b\np,"say ""hi""","x,y"\nq,,"{""n"":1}"');
  });
});
