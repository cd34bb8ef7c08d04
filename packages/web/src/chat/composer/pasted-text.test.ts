import { describe, expect, it } from "vitest";
import { isLong, nameText } from "./pasted-text.ts";

describe("pasted text", () => {
  it("calls a text long by its characters or its lines", () => {
    expect(isLong("short")).toBe(false);
    expect(isLong("x".repeat(4000))).toBe(true);
    expect(isLong("x\n".repeat(100))).toBe(true);
  });

  it("names a text by its content", () => {
    expect(nameText("a\tb\n1\t2\n3\t4", "pasted.txt")).toBe("pasted.tsv");
    expect(nameText("a,b\n1,2\n3,4", "pasted.txt")).toBe("pasted.csv");
    expect(nameText('{"a": [1, 2]}', "pasted.txt")).toBe("pasted.json");
    expect(nameText("Dear all,\nthis is prose.\nBye", "pasted.txt")).toBe("pasted.txt");
  });
});
