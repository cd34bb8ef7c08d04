import { describe, expect, it } from "vitest";
import { fromUnit, toUnit } from "./limit-units.ts";

const GIB = 1024 ** 3;

describe("limit units", () => {
  it("writes limits in the displayed unit and reads them back", () => {
    expect(toUnit("memory_bytes", GIB)).toBe("1");
    expect(toUnit("memory_bytes", GIB / 2)).toBe("0.5");
    expect(toUnit("timeout_ms", 120_000)).toBe("120");
    expect(fromUnit("memory_bytes", "0.5", 4 * GIB)).toBe(GIB / 2);
    expect(fromUnit("cpus", "1.5", 4)).toBe(1.5);
    expect(fromUnit("timeout_ms", "30", 3_600_000)).toBe(30_000);
  });

  it.each(["", " ", "many", "-1", "0", "0.01", "4.5", "NaN", "Infinity"])("refuses %j as memory", (text) => {
    expect(fromUnit("memory_bytes", text, 4 * GIB)).toBeUndefined();
  });

  it("accepts the maximum in its rounded form", () => {
    const most = 3_333_333_333;
    expect(fromUnit("memory_bytes", toUnit("memory_bytes", most), most)).toBe(most);
  });
});
