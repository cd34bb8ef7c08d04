import { describe, expect, it } from "vitest";
import { joinEnds } from "./cut.ts";

describe("joining the ends of a long text", () => {
  it("leaves a short text as it is", () => {
    expect(joinEnds("short", 5, "see there")).toBe("short");
  });

  it("keeps head and tail and says how much is left out", () => {
    const text = `${"a".repeat(50)}${"b".repeat(50)}${"c".repeat(50)}`;
    const cut = joinEnds(text, 30, "see there");
    expect(cut).toBe(`${"a".repeat(20)}\n[… 120 characters left out; see there …]\n${"c".repeat(10)}`);
  });

  it("never splits a character in two", () => {
    const text = "🧀".repeat(100);
    for (const maxChars of [29, 30, 31, 32, 33]) {
      expect(joinEnds(text, maxChars, "see there").isWellFormed()).toBe(true);
    }
  });
});
