import { expect, test } from "vitest";
import { readModel, writeModel } from "./providers.ts";

test.each([
  [null, "server", ""],
  ["built-in", "built-in", ""],
  ["openai:gpt-5.4-mini", "openai", "gpt-5.4-mini"],
  ["anthropic", "anthropic", ""],
  ["openai-compatible:qwen3:8b", "openai-compatible", "qwen3:8b"],
] as const)("%s is read and written back as it was", (model, source, name) => {
  expect(readModel(model)).toEqual({ source, name });
  expect(writeModel({ source, name })).toBe(model);
});

test("the built-in analyst has no model's name", () => {
  expect(writeModel({ source: "built-in", name: "left over" })).toBe("built-in");
});
