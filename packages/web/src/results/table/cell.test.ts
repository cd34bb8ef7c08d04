import { expect, it } from "vitest";
import { showCell } from "./cell.ts";

it("shows numbers as they are read: long ones in groups, years not, none with a tail of digits", () => {
  const show = (value: number) => showCell(value, "float64", "en");
  expect([2024, 1_234_567, -0.1 - 0.2, 1e21, 0.000_001_5].map(show)).toEqual([
    "2024",
    "1,234,567",
    "-0.3",
    "1e+21",
    "0.0000015",
  ]);
});

it("shows moments as people write them, but leaves texts that look like one alone", () => {
  expect(showCell("2024-01-01T00:00:00", "datetime64[ns]")).toBe("2024-01-01");
  expect(showCell("2024-01-01T08:30:00", "datetime64[us, UTC]")).toBe("2024-01-01 08:30:00");
  expect(showCell("2024-01-01T00:00:00", "object")).toBe("2024-01-01T00:00:00");
});

it("tells what is missing from an empty text", () => {
  expect([null, undefined, "", false, 0].map((value) => showCell(value, "object"))).toEqual([
    "–",
    "–",
    "",
    "false",
    "0",
  ]);
});
