import { describe, expect, it } from "vitest";
import { diff, diffLines, splitWords } from "./diff.ts";

describe("diff", () => {
  it("keeps what both have and tells apart what only one has", () => {
    expect(diff([..."abcd"], [..."axcde"])).toEqual([
      { kind: "same", items: ["a"] },
      { kind: "removed", items: ["b"] },
      { kind: "added", items: ["x"] },
      { kind: "same", items: ["c", "d"] },
      { kind: "added", items: ["e"] },
    ]);
  });

  it("finds nothing to tell where both are the same", () => {
    expect(diff(["a", "b"], ["a", "b"])).toEqual([{ kind: "same", items: ["a", "b"] }]);
    expect(diff([], [])).toEqual([]);
  });

  it("gives up on sequences that are too long to compare, without losing any of them", () => {
    const before = Array.from({ length: 3000 }, (_, index) => `a${index}`);
    const after = Array.from({ length: 3000 }, (_, index) => `b${index}`);
    expect(diff(before, after)).toEqual([
      { kind: "removed", items: before },
      { kind: "added", items: after },
    ]);
  });
});

describe("words", () => {
  it("give the text again when they are joined", () => {
    const text = "The mean  is 4.2,\n平均值 is 4.2";
    expect(splitWords(text).join("")).toBe(text);
    expect(splitWords("平均 a")).toEqual(["平", "均", " ", "a"]);
  });
});

describe("lines", () => {
  it("are shown with three of them around a change", () => {
    const lines = Array.from({ length: 12 }, (_, index) => `line ${index}`);
    const changed = lines.with(6, "other");
    expect(diffLines(lines.join("\n"), changed.join("\n")).split("\n")).toEqual([
      "@@ … 3 @@",
      " line 3",
      " line 4",
      " line 5",
      "-line 6",
      "+other",
      " line 7",
      " line 8",
      " line 9",
      "@@ … 2 @@",
    ]);
  });

  it("of a new file are all added", () => {
    expect(diffLines("", "a\nb\n")).toBe("+a\n+b");
  });
});
