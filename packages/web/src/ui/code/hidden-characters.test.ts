import { describe, expect, it } from "vitest";
import { hasHidden, revealHidden } from "./hidden-characters.ts";

describe("revealHidden", () => {
  it("spells out invisible and reordering characters, and no others", () => {
    expect(revealHidden("a\u202Eb\u200B\r\u{E0041}")).toBe("a\\u{202e}b\\u{200b}\\u{d}\\u{e0041}");
    const plain = "a b\tc\n数据 é שלום 🙂";
    expect([revealHidden(plain), hasHidden(plain), hasHidden("a\u2066b")]).toEqual([plain, false, true]);
  });
});
