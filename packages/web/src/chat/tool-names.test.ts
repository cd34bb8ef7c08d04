import { describe, expect, it } from "vitest";
import { en } from "../i18n/en.ts";
import { nameTool } from "./tool-names.ts";

describe("the title of a tool", () => {
  it.each([
    ["file_read", "Read"],
    ["read_file", "Read"],
    ["csv_join", "Csv join"],
    ["constructor", "Constructor"],
    ["_", "_"],
  ])("of %s is %s", (name, title) => {
    expect(nameTool(name, en)).toBe(title);
  });
});
