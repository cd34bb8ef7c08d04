import { describe, expect, it } from "vitest";
import { nameKey } from "./key-names.ts";

const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

describe("key names", () => {
  it("leaves keys that type text to the field", () => {
    expect(nameKey({ ...none, key: "a" })).toBeUndefined();
    expect(nameKey({ ...none, key: "中" })).toBeUndefined();
    expect(nameKey({ ...none, key: "A", shiftKey: true })).toBeUndefined();
  });

  it("names the keys that act", () => {
    expect(nameKey({ ...none, key: "Enter" })).toBe("Enter");
    expect(nameKey({ ...none, key: "ArrowLeft", shiftKey: true })).toBe("Shift+ArrowLeft");
    expect(nameKey({ ...none, key: "a", metaKey: true })).toBe("Control+a");
  });

  it("leaves Tab and paste to the field", () => {
    expect(nameKey({ ...none, key: "Tab" })).toBeUndefined();
    expect(nameKey({ ...none, key: "v", ctrlKey: true })).toBeUndefined();
  });
});
