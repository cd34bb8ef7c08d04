import { describe, expect, it } from "vitest";
import { decodeText } from "./decode-text.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("decodeText", () => {
  it("reads UTF-8 without losing a byte", () => {
    for (const text of ["", "plain\r\nlines\n", "摘要 🙂", "\uFEFFwith a mark"])
      expect(decodeText(bytes(text))).toEqual({ text, encoding: "utf-8" });
  });

  it("ignores a character that is cut at the end", () => {
    expect(decodeText(bytes("摘要").subarray(0, 5), true)).toEqual({ text: "摘", encoding: "utf-8" });
    expect(decodeText(bytes("摘要").subarray(0, 5)).encoding).not.toBe("utf-8");
  });

  it("reads older encodings, and names them", () => {
    expect(decodeText(Uint8Array.from(Buffer.from("café au lait", "latin1")))).toEqual({
      text: "café au lait",
      encoding: "other",
    });
    expect(decodeText(Uint8Array.of(0xc4, 0xe3, 0xba, 0xc3))).toEqual({ text: "你好", encoding: "other" });
  });

  it("recognizes binary data", () => {
    expect(decodeText(Uint8Array.of(0x89, 0x50, 0, 1)).encoding).toBe("binary");
    expect(decodeText(Uint8Array.from({ length: 300 }, (_, at) => (at % 255) + 1)).encoding).toBe("binary");
  });
});
