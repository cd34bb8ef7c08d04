import { describe, expect, it } from "vitest";
import { columnWidths } from "./column-widths.ts";
import { readHeadings } from "./headings.ts";
import { readRows } from "./rows.ts";

describe("column widths", () => {
  it("fits each column to its heading and values, within bounds", () => {
    const columns = [
      { name: "id", dtype: "int64" },
      { name: "城市名称", dtype: "object" },
      { name: "note", dtype: "object" },
    ];
    const rows = [[1, "上海", "x".repeat(200)]];
    const widths = (part: { index?: unknown[] }) =>
      columnWidths(readHeadings({ columns, ...part }), readRows({ rows, ...part }));
    expect(widths({})).toEqual(["7ch", "13ch", "36ch"]);
    expect(widths({ index: ["a long label"] })).toEqual(["15ch", "7ch", "13ch", "36ch"]);
  });
});
