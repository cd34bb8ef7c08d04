import { describe, expect, it } from "vitest";
import { findFreeName } from "./free-name.ts";

describe("freeName", () => {
  it("adds a number before the extension", () => {
    expect(findFreeName("a.csv", new Set())).toBe("a.csv");
    expect(findFreeName("a.csv", new Set(["a.csv", "a (2).csv"]))).toBe("a (3).csv");
    expect(findFreeName("a.b.tar.gz", new Set(["a.b.tar.gz"]))).toBe("a.b (2).tar.gz");
    expect(findFreeName("README", new Set(["README"]))).toBe("README (2)");
    expect(findFreeName(".env", new Set([".env"]))).toBe(".env (2)");
  });
});
