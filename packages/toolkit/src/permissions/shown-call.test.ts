import { describe, expect, it } from "vitest";
import { revealHidden, showCall } from "./shown-call.ts";

const show = (command: string) => showCall({ input: { command } });

describe("a call as a person is shown it", () => {
  it("is shown in whole while it is short", () => {
    expect(show("ls -l")).toEqual({ text: '{\n  "command": "ls -l"\n}', omittedChars: 0 });
  });

  it("says how much is left out of its middle, and shows its end", () => {
    const shown = show(`echo ${"x".repeat(20_000)}; rm -rf .`);
    expect(shown?.text).toMatch(
      /^\{\n {2}"command": "echo x+\n\[… 12\d{3} characters left out; they run too/,
    );
    expect(shown?.text).toContain("; rm -rf .");
    expect(shown?.omittedChars).toBeGreaterThan(12_000);
  });

  it("is not shown at all if it is too long to read", () => {
    expect(show("x".repeat(200_000))).toBeUndefined();
  });

  it("that is nested deep stays short", () => {
    const input: unknown = JSON.parse("[".repeat(2000) + "]".repeat(2000));
    expect(showCall({ input })?.text.length).toBeLessThan(8000);
  });

  it.each([
    ["\u202E", "202e"],
    ["\u2066", "2066"],
    ["\u200B", "200b"],
    ["\u00AD", "ad"],
    ["\u00A0", "a0"],
    ["\u3164", "3164"],
    ["\u2028", "2028"],
    ["\u{E0041}", "e0041"],
    ["\r", "d"],
    ["\u001B", "1b"],
    ["\u009B", "9b"],
  ])("writes out a character that hides or reorders others: %j", (character, code) => {
    expect(revealHidden(`a${character}b`)).toBe(`a\\u{${code}}b`);
  });

  it("leaves lines, tabs and writing of all kinds as they are", () => {
    const text = "a b\tc\n数据 é שלום 🙂";
    expect(revealHidden(text)).toBe(text);
  });
});
