import { describe, expect, it } from "vitest";
import { showName } from "./visible-name.ts";

describe("visibleName", () => {
  it("keeps readable names as they are", () => {
    for (const name of ["摘要 报告.md", "name with spaces.txt", "..hidden", "<img src=x>.png", "café 🙂.txt"])
      expect(showName(name)).toBe(name);
  });

  it("spells out invisible characters", () => {
    expect(showName("line\nbreak\t.txt")).toBe("line‹000A›break‹0009›.txt");
    expect(showName("invoice\u202Efdp.exe")).toBe("invoice‹202E›fdp.exe");
    expect(showName("zero\u200Bwidth")).toBe("zero‹200B›width");
    expect(showName("half\uD83D")).toBe("half\uFFFD");
  });
});
