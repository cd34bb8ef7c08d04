import { describe, expect, it } from "vitest";
import { diff, diffLines, splitWords } from "./diff.ts";

describe("diff", () => {
  it("keeps the items that both sequences have", () => {
    expect(diff([..."abcd"], [..."axcde"])).toEqual([
      { kind: "same", items: ["a"] },
      { kind: "removed", items: ["b"] },
      { kind: "added", items: ["x"] },
      { kind: "same", items: ["c", "d"] },
      { kind: "added", items: ["e"] },
    ]);
  });

  it("finds no change between equal sequences", () => {
    expect(diff(["a", "b"], ["a", "b"])).toEqual([{ kind: "same", items: ["a", "b"] }]);
    expect(diff([], [])).toEqual([]);
  });

  it("shows sequences that differ throughout as removed and added, without losing an item", () => {
    const before = Array.from({ length: 3000 }, (_, index) => `a${index}`);
    const after = Array.from({ length: 3000 }, (_, index) => `b${index}`);
    expect(diff(before, after)).toEqual([
      { kind: "removed", items: before },
      { kind: "added", items: after },
    ]);
  });
});

describe("a diff of long texts", () => {
  it("finds a few changes in a text of 20,000 lines", () => {
    const before = Array.from({ length: 20_000 }, (_, index) => `line ${index}`);
    const after = before.map((line, index) => (index % 1000 === 500 ? `${line}, changed` : line));
    const changed = diffLines(before.join("\n"), after.join("\n")).match(/^[-+].*$/gm);
    expect(changed).toHaveLength(40);
    expect(changed?.slice(0, 2)).toEqual(["-line 500", "+line 500, changed"]);
  });
});

describe("splitWords", () => {
  it("splits a text into words that join to the same text", () => {
    const text = "The mean  is 4.2,\n平均值 is 4.2";
    expect(splitWords(text).join("")).toBe(text);
    expect(splitWords("平均 a")).toEqual(["平", "均", " ", "a"]);
  });
});

describe("diffLines", () => {
  it("shows three lines before and after a change", () => {
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

  it("shows every line of a new file as added", () => {
    expect(diffLines("", "a\nb\n")).toBe("+a\n+b");
  });
});
