import { expect, it } from "vitest";
import { decodeText } from "./decode-text.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

it("reads UTF-8 so that it can be written back byte by byte", () => {
  for (const text of ["", "plain\r\nlines\n", "摘要 🙂", "\uFEFFwith a mark"])
    expect(decodeText(bytes(text))).toEqual({ text, encoding: "utf-8" });
});

it("takes a character that was cut in two for what it is", () => {
  expect(decodeText(bytes("摘要").subarray(0, 5), true)).toEqual({ text: "摘", encoding: "utf-8" });
  expect(decodeText(bytes("摘要").subarray(0, 5)).encoding).not.toBe("utf-8");
});

it("reads what older programs wrote, and says that it is something else", () => {
  expect(decodeText(Uint8Array.from(Buffer.from("café au lait", "latin1")))).toEqual({
    text: "café au lait",
    encoding: "other",
  });
  expect(decodeText(Uint8Array.of(0xc4, 0xe3, 0xba, 0xc3))).toEqual({ text: "你好", encoding: "other" });
});

it("knows what is no text", () => {
  expect(decodeText(Uint8Array.of(0x89, 0x50, 0, 1)).encoding).toBe("binary");
  expect(decodeText(Uint8Array.from({ length: 300 }, (_, at) => (at % 255) + 1)).encoding).toBe("binary");
});
