import { describe, expect, it } from "vitest";
import { compareTurns, type Turn, withoutMarks } from "./comparison.ts";

const first = turn("How many rows?", "10");

describe("the comparison of two threads", () => {
  it("joins equal turns", () => {
    const second = turn("And columns?", "3");
    expect(compareTurns([first, second], [first, second])).toEqual([
      { kind: "same", turns: [first, second] },
    ]);
  });

  it("puts different turns side by side", () => {
    const [left, right] = [turn("Sum?", "5"), turn("Mean?", "2.5")];
    expect(compareTurns([first, left], [first, right])).toEqual([
      { kind: "same", turns: [first] },
      { kind: "different", left, right },
    ]);
  });

  it("leaves a side empty if one thread is longer", () => {
    expect(compareTurns([first], [])).toEqual([{ kind: "different", left: first }]);
  });

  it("compares the words of Markdown, not its formatting", () => {
    expect(withoutMarks("## Sums\n**42** of *all*\n\n| a | b |\n|---|---|\n| 1 | 2 |")).toBe(
      "Sums\n42 of all\n\na · b\n1 · 2",
    );
    expect(withoutMarks("snake_case_name * 2 * 3")).toBe("snake_case_name * 2 * 3");
  });
});

function turn(question: string, answer: string): Turn {
  return { question, answer };
}
