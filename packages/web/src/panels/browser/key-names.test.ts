import { expect, it } from "vitest";
import { nameKey } from "./key-names.ts";

const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

it("leaves what is written to the field", () => {
  expect(nameKey({ ...none, key: "a" })).toBeUndefined();
  expect(nameKey({ ...none, key: "中" })).toBeUndefined();
  expect(nameKey({ ...none, key: "A", shiftKey: true })).toBeUndefined();
});

it("names keys that do something", () => {
  expect(nameKey({ ...none, key: "Enter" })).toBe("Enter");
  expect(nameKey({ ...none, key: "ArrowLeft", shiftKey: true })).toBe("Shift+ArrowLeft");
  expect(nameKey({ ...none, key: "a", metaKey: true })).toBe("Control+a");
});

it("lets Tab lead out, and what is pasted come in as text", () => {
  expect(nameKey({ ...none, key: "Tab" })).toBeUndefined();
  expect(nameKey({ ...none, key: "v", ctrlKey: true })).toBeUndefined();
});
