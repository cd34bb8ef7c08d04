import { expect, it } from "vitest";
import { toPlainText } from "./terminal-text.ts";

it("what a terminal shows is plain text: no colours, titles or movements", () => {
  expect(toPlainText("\u001b]0;title\u0007\u001b[1;31mred\u001b[0m\r\n\u001b[?2004hnext\u001b(B")).toBe(
    "red\nnext",
  );
  expect(toPlainText("done\u001b[3")).toBe("done");
});

it("a line that is written over is shown as it came to be", () => {
  expect(toPlainText(" 10%\r 50%\r100%\nabc\b\bX")).toBe("100%\naXc");
  expect(toPlainText("中文\r英")).toBe("英文");
});
