import { describe, expect, it } from "vitest";
import { makeSafeName } from "./safe-name.ts";

describe("makeSafeName", () => {
  it.each([
    ["report.csv", "report.csv"],
    ["表 1.xlsx", "表 1.xlsx"],
    ["../../etc/passwd", "etc_passwd"],
    ["..\\..\\evil.exe", "evil.exe"],
    [".bashrc", "bashrc"],
    ["-rf", "rf"],
    ["a\u0000b\n\u202Ec.txt", "a_b__c.txt"],
    ["", "download"],
    ["...", "download"],
    ["nul ", "nul"],
  ])("%j becomes %j", (suggested, name) => {
    expect(makeSafeName(suggested)).toBe(name);
  });

  it("is short enough for every file system, with its ending", () => {
    const name = makeSafeName(`${"表".repeat(500)}.csv`);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(180);
    expect(name).toMatch(/表\.csv$/);
  });
});
