import { describe, expect, it } from "vitest";
import { splitBlocks } from "./markdown-blocks.ts";

describe("Markdown in blocks", () => {
  it("makes a block of each paragraph, heading, table and code fence", () => {
    const blocks = [
      "# Title\n",
      "Some\nwords\n",
      "| a | b |\n|---|---|\n| 1 | 2 |\n",
      "```python\n1\n```\n",
      "end",
    ];
    expect(splitBlocks(blocks.join("\n"))).toEqual(blocks);
  });

  it("loses no character, wherever the text ends", () => {
    const text = "# A\n\n- one\n\n- two\n\n  more\n\nwords\n\n~~~\ncode\n\n```\n\n~~~\n\n1. x\n\n\nend\n";
    for (let end = 0; end <= text.length; end++) {
      expect(splitBlocks(text.slice(0, end)).join("\n")).toBe(text.slice(0, end));
    }
  });

  it("keeps finished blocks while the text grows", () => {
    const text = "One.\n\nTwo:\n\n- a\n- b\n\n```\nx\n\ny\n```\n\nThree.";
    let before: string[] = [];
    for (let end = 1; end <= text.length; end++) {
      const now = splitBlocks(text.slice(0, end));
      expect(now.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1));
      before = now;
    }
    expect(before.length).toBe(5);
  });

  it.each([
    ["a blank line in code", "```\none\n\ntwo\n```"],
    ["code that has not ended", "```\none\n\n# two"],
    ["a fence within a longer one", "````\n```\n\nx\n```\n\ny\n````"],
    ["a list with room between its items", "- one\n\n- two\n\n- three"],
    ["what belongs to an item", "1. one\n\n   more of one\n\n2. two"],
    ["a link that is defined at the end", "See [it][1].\n\nMore.\n\n[1]: https://example.com"],
    ["a note at the end", "See[^1].\n\nMore.\n\n[^1]: A note."],
    ["a comment over several blocks", "<!-- one\n\ntwo -->\n\nwords"],
  ])("does not split %s", (_, text) => {
    expect(splitBlocks(text)).toEqual([text]);
  });
});
