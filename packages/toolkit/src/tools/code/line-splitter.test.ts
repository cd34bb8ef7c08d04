import { describe, expect, it } from "vitest";
import { LineSplitter } from "./line-splitter.ts";

describe("LineSplitter", () => {
  it("lines come out whole, however their bytes come in", () => {
    const text = "一\n{}\n\nrest";
    for (const size of [1, 2, 3, 100]) {
      const splitter = new LineSplitter(10);
      const lines: string[] = [];
      for (let at = 0; at < Buffer.byteLength(text); at += size) {
        lines.push(...splitter.split(Buffer.from(text).subarray(at, at + size)));
      }
      expect(lines).toEqual(["一", "{}", ""]);
      expect(splitter.isOverfull).toBe(false);
    }
  });

  it("a line that is too long ends it, also one that never ends", () => {
    const splitter = new LineSplitter(4);
    expect(Array.from(splitter.split(Buffer.from("abcd\nabcde\nx\n")))).toEqual(["abcd"]);
    expect(splitter.isOverfull).toBe(true);
    expect(Array.from(splitter.split(Buffer.from("x\n")))).toEqual([]);
    const endless = new LineSplitter(4);
    expect([...endless.split(Buffer.from("abc")), ...endless.split(Buffer.from("de"))]).toEqual([]);
    expect(endless.isOverfull).toBe(true);
  });
});
