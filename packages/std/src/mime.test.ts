import { describe, expect, it } from "vitest";
import { guessMime } from "./index.ts";

describe("guessMime", () => {
  it.each([
    ["plot.PNG", "image/png"],
    ["/data/outputs/table.csv", "text/csv"],
    ["archive.tar.gz", "application/gzip"],
    ["report.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  ])("takes the type of %s from its extension", (path, type) => {
    expect(guessMime(path)).toBe(type);
  });

  it.each(["Makefile", "a.b/c", ".png", "x.constructor", "trailing."])("knows no type of %s", (path) => {
    expect(guessMime(path)).toBeUndefined();
  });
});
