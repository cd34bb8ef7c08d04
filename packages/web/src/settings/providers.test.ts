import { describe, expect, it } from "vitest";
import { readModel, writeModel } from "./providers.ts";

describe("sources of answers", () => {
  it.each([
    [null, "server", ""],
    ["built-in", "built-in", ""],
    ["openai:gpt-5.4-mini", "openai", "gpt-5.4-mini"],
    ["anthropic", "anthropic", ""],
    ["openai-compatible:qwen3:8b", "openai-compatible", "qwen3:8b"],
  ] as const)("reads and writes back %s", (model, source, name) => {
    expect(readModel(model)).toEqual({ source, name });
    expect(writeModel({ source, name })).toBe(model);
  });

  it("writes the built-in analyst without a model name", () => {
    expect(writeModel({ source: "built-in", name: "left over" })).toBe("built-in");
  });
});
