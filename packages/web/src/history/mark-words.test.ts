import { expect, it } from "vitest";
import { markWords } from "./mark-words.ts";

it("marks the words that were searched for, whatever their case", () => {
  expect(markWords("Sales by Region", "region sales")).toEqual([
    { text: "Sales", isFound: true },
    { text: " by ", isFound: false },
    { text: "Region", isFound: true },
  ]);
});

it("takes signs as they are", () => {
  expect(markWords("a.b axb", "a.b")).toEqual([
    { text: "a.b", isFound: true },
    { text: " axb", isFound: false },
  ]);
});

it("marks nothing without words", () => {
  expect(markWords("text", "  ")).toEqual([{ text: "text", isFound: false }]);
});
