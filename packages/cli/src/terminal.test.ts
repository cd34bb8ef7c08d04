import { describe, expect, it } from "vitest";
import { plain, stripControls } from "./terminal.ts";

describe("terminal output", () => {
  it.each([
    ["\u001B]0;title\u0007after", "]0;titleafter"],
    ["\u001B[2J\u001B[Hgone", "[2J[Hgone"],
    ["\u001B]52;c;cGFzdGU=\u0007", "]52;c;cGFzdGU="],
    ["\u009B2Jgone", "2Jgone"],
    ["\u001B[31mred\u001B[0m\ttab\r\nline 数", "\u001B[31mred\u001B[0m\ttab\r\nline 数"],
    ["\u001B[", "["],
  ])("takes control sequences out of %j, and leaves colours and lines", (text, shown) => {
    expect(stripControls(text)).toBe(shown);
  });

  it("leaves nothing but text in a name", () => {
    expect(plain("a\nb\u001B[31m\u202Ec 数")).toBe("a\uFFFDb\uFFFD[31m\uFFFDc 数");
  });
});
