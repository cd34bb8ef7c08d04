import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeSafeName } from "./safe-name.ts";

describe("a safe name", () => {
  it.each([
    ["sales.csv", "sales.csv"],
    ["../../etc/passwd", "passwd"],
    ["C:\\Users\\me\\sales report.xlsx", "sales report.xlsx"],
    ["..", "file"],
    ["", "file"],
    [".bashrc", "bashrc"],
    ["--help.csv", "help.csv"],
    ["a\nb\u0000c\u001b[31m.csv", "a bc[31m.csv"],
    ["invoice\u202Efdp.exe", "invoicefdp.exe"],
    ["u\u0308ber.csv", "über.csv"],
    ["数据 表.csv", "数据 表.csv"],
    ["CON", "CON"],
    ["name. . .", "name"],
    ["/", "file"],
  ])("of %j is %j", (given, expected) => {
    expect(makeSafeName(given)).toBe(expected);
  });

  it("keeps the extension of a long name and cuts no character", () => {
    expect(makeSafeName(`${"数".repeat(300)}.parquet`)).toBe(`${"数".repeat(64)}.parquet`);
    const family = "👨‍👩‍👧";
    expect(makeSafeName(`${family.repeat(100)}.csv`)).toMatch(/^(👨👩👧)+.?.?\.csv$/u);
  });

  it("is safe whatever it is made of, and stays as it is when made again", () => {
    fc.assert(
      fc.property(anyText, (given) => {
        const name = makeSafeName(given);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
        expect(name).toMatch(/^[^.\-\s~\p{C}/\\][^\p{C}/\\]*$/u);
        expect(name.isWellFormed()).toBe(true);
        expect(makeSafeName(name)).toBe(name);
      }),
      { numRuns: 2000 },
    );
  });
});

/** Halves of characters too, and the control characters more often than chance would bring them. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0, max: 0x7f })), { maxLength: 400 })
  .map((units) => String.fromCharCode(...units));
