import { describe, expect, it } from "vitest";
import { toPlainText } from "./terminal-text.ts";

describe("toPlainText", () => {
  it("removes colours, titles and cursor movements", () => {
    expect(toPlainText("\u001b]0;title\u0007\u001b[1;31mred\u001b[0m\r\n\u001b[?2004hnext\u001b(B")).toBe(
      "red\nnext",
    );
    expect(toPlainText("\u001b[31mred\u001b[0m \u001b[2Kclear")).toBe("red clear");
    expect(toPlainText("done\u001b[3")).toBe("done");
  });

  it("shows a line that was written over as it was left", () => {
    expect(toPlainText(" 10%\r 50%\r100%\nabc\b\bX")).toBe("100%\naXc");
    expect(toPlainText("start\n 10%\r 50%\r100%\nend")).toBe("start\n100%\nend");
    expect(toPlainText("long line\rshort")).toBe("shortline");
    expect(toPlainText("half\r")).toBe("half");
    expect(toPlainText("中文\r英")).toBe("英文");
  });

  it("ends lines with a line feed, as Windows does not", () => {
    expect(toPlainText("a\r\nb\r\n")).toBe("a\nb\n");
  });
});
