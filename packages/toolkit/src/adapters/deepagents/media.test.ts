import { describe, expect, it } from "vitest";
import { contentOf, mimeOf } from "./media.ts";

describe("the content of a file for deepagents", () => {
  const bytes = Buffer.from("text");

  it.each([
    ["a.png", "image/png"],
    ["a.PDF", "application/pdf"],
    ["a.ppt", "application/vnd.ms-powerpoint"],
    ["a.pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"],
    ["a.wav", "audio/wav"],
    ["a.mov", "video/quicktime"],
  ])("is bytes for %s, of type %s", (path, type) => {
    expect(contentOf(path, bytes)).toBe(bytes);
    expect(mimeOf(path, bytes)).toBe(type);
  });

  it.each(["a.csv", "a.svg", "a.json", "a.html", "a.xlsx", "a", "a.constructor"])(
    "is plain text for %s if it is UTF-8",
    (path) => {
      expect(contentOf(path, bytes)).toBe("text");
      expect(mimeOf(path, "text")).toBe("text/plain");
    },
  );

  it("is bytes of no known type if it is not UTF-8", () => {
    const broken = Uint8Array.of(0xff, 0xfe, 0xff);
    expect(contentOf("a.csv", broken)).toBe(broken);
    expect(mimeOf("a.csv", broken)).toBe("application/octet-stream");
  });
});
