import { describe, expect, it } from "vitest";
import { markWords } from "./mark-words.ts";

describe("markWords", () => {
  it("marks the searched words in any case", () => {
    expect(markWords("Sales by Region", "region sales")).toEqual([
      { text: "Sales", isFound: true },
      { text: " by ", isFound: false },
      { text: "Region", isFound: true },
    ]);
  });

  it("treats special characters literally", () => {
    expect(markWords("a.b axb", "a.b")).toEqual([
      { text: "a.b", isFound: true },
      { text: " axb", isFound: false },
    ]);
  });

  it("marks nothing if there are no words", () => {
    expect(markWords("text", "  ")).toEqual([{ text: "text", isFound: false }]);
  });
});
