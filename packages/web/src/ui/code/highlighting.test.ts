import { describe, expect, it } from "vitest";
import { Colouring, loadHighlighter } from "./highlighting.ts";

const code = `def total(rows):
    """Sums up,
    over several lines"""
    return sum(rows)  # all`;

const forever = Infinity;

describe("Colouring", () => {
  it("colours each line as part of the whole, also inside a multi-line string", async () => {
    const colouring = new Colouring(await loadHighlighter(), "python");
    expect(colouring.advance(code, forever)).toBe(true);
    const classes = colouring.lines.map(({ tokens }) => tokens.map(({ className }) => className));
    expect(colouring.lines.map(({ tokens }) => tokens.map(({ text }) => text).join("")).join("\n")).toBe(
      code,
    );
    expect(classes[0]).toContain("code-keyword");
    expect(classes[2]).toEqual(["code-string"]);
    expect(classes[3]).toContain("code-comment");
  });

  it("keeps finished lines when the code grows", async () => {
    const colouring = new Colouring(await loadHighlighter(), "python");
    colouring.advance(code.slice(0, 40), forever);
    const [first] = colouring.lines;
    colouring.advance(code, forever);
    expect(colouring.lines[0]).toBe(first);
    const whole = new Colouring(await loadHighlighter(), "python");
    whole.advance(code, forever);
    expect(colouring.lines).toEqual(whole.lines);
  });

  it("stops when its time is up, and continues when it is called again", async () => {
    const colouring = new Colouring(await loadHighlighter(), "python");
    expect(colouring.advance(code, 0)).toBe(false);
    expect(colouring.lines).toHaveLength(1);
    for (let at = 0; at < 3; at++) colouring.advance(code, 0);
    expect(colouring.lines).toHaveLength(4);
  });
});
