import { describe, expect, it } from "vitest";
import { showCell } from "./cell.ts";

describe("table cells", () => {
  it("groups long numbers, leaves years alone and rounds long fractions", () => {
    const show = (value: number) => showCell(value, "float64", "en");
    expect([2024, 1_234_567, -0.1 - 0.2, 1e21, 0.000_001_5].map(show)).toEqual([
      "2024",
      "1,234,567",
      "-0.3",
      "1e+21",
      "0.0000015",
    ]);
  });

  it("formats dates, but not texts that look like one", () => {
    expect(showCell("2024-01-01T00:00:00", "datetime64[ns]")).toBe("2024-01-01");
    expect(showCell("2024-01-01T08:30:00", "datetime64[us, UTC]")).toBe("2024-01-01 08:30:00");
    expect(showCell("2024-01-01T00:00:00", "object")).toBe("2024-01-01T00:00:00");
  });

  it("tells a missing value from an empty text", () => {
    expect([null, undefined, "", false, 0].map((value) => showCell(value, "object"))).toEqual([
      "–",
      "–",
      "",
      "false",
      "0",
    ]);
  });
});
