import { describe, expect, it } from "vitest";
import { en } from "../i18n/en.ts";
import { zh } from "../i18n/zh.ts";
import { createFormat } from "./format.ts";

const english = createFormat(en);
const chinese = createFormat(zh);

describe("formats", () => {
  it.each([
    [3.14, "3.1 ms", "3.1 毫秒"],
    [230, "230 ms", "230 毫秒"],
    [1234, "1.2 s", "1.2 秒"],
    [119_800, "2 min 0 s", "2 分 0 秒"],
    [125_000, "2 min 5 s", "2 分 5 秒"],
  ])("formats %d ms as %s, and in Chinese as %s", (ms, inEnglish, inChinese) => {
    expect([english.duration(ms), chinese.duration(ms)]).toEqual([inEnglish, inChinese]);
  });

  it("formats sizes in the unit that keeps them short", () => {
    expect([0, 999, 1000, 999_999, 1_500_000].map(english.bytes)).toEqual([
      "0 B",
      "999 B",
      "1 kB",
      "1 MB",
      "1.5 MB",
    ]);
    expect([512, 1024, 1024 ** 3 * 1.5].map(english.binary)).toEqual(["512 B", "1 KiB", "1.5 GiB"]);
  });
});
