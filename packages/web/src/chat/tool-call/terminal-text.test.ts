import { expect, it } from "vitest";
import { showTerminalText } from "./terminal-text.ts";

it("shows a progress bar as it was left, not every step of it", () => {
  expect(showTerminalText("start\n 10%\r 50%\r100%\nend")).toBe("start\n100%\nend");
  expect(showTerminalText("long line\rshort")).toBe("shortline");
  expect(showTerminalText("half\r")).toBe("half");
});

it("keeps the lines of Windows, and leaves out colours", () => {
  expect(showTerminalText("a\r\nb\r\n")).toBe("a\nb\n");
  expect(showTerminalText("\u001B[31mred\u001B[0m \u001B[2Kclear")).toBe("red clear");
});
