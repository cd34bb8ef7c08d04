import { describe, expect, it } from "vitest";
import { chooseModel, nameModel, parseModel } from "./choice.ts";

describe("the choice of a model", () => {
  it("is the built-in analyst when nothing is set", () => {
    expect(chooseModel({})).toEqual({ kind: "built-in" });
    expect(chooseModel({ OPENAI_API_KEY: "", ATOLL_MODEL: " " })).toEqual({ kind: "built-in" });
  });

  it("follows the key or the address that is set", () => {
    expect(chooseModel({ OPENAI_API_KEY: "k" })).toMatchObject({ provider: "openai", apiKey: "k" });
    expect(chooseModel({ ANTHROPIC_API_KEY: "k" })).toMatchObject({ provider: "anthropic", apiKey: "k" });
    expect(chooseModel({ GOOGLE_GENERATIVE_AI_API_KEY: "k" })).toMatchObject({
      provider: "google",
      apiKey: "k",
    });
    expect(chooseModel({ OPENAI_BASE_URL: "http://127.0.0.1:11434/v1" })).toEqual({
      kind: "model",
      provider: "openai-compatible",
      model: "",
      baseUrl: "http://127.0.0.1:11434/v1",
    });
  });

  it("is ATOLL_MODEL's before any key's, and a model's name may have colons", () => {
    const env = { OPENAI_API_KEY: "o", ANTHROPIC_API_KEY: "a", OPENAI_BASE_URL: "http://127.0.0.1:1/v1" };
    expect(chooseModel({ ...env, ATOLL_MODEL: "anthropic:claude-x" })).toEqual({
      kind: "model",
      provider: "anthropic",
      model: "claude-x",
      apiKey: "a",
    });
    expect(chooseModel({ ...env, ATOLL_MODEL: "openai-compatible:llama3:8b" })).toMatchObject({
      model: "llama3:8b",
    });
    expect(chooseModel({ ...env, ATOLL_MODEL: "built-in" })).toEqual({ kind: "built-in" });
  });

  it("has a default name for each provider that can have one", () => {
    const model = parseModel("google", { GOOGLE_GENERATIVE_AI_API_KEY: "k" });
    expect(nameModel(model)).toMatch(/^google:gemini/);
  });

  it.each([
    ["gpt-5", {}, "write provider:model"],
    ["moon:base", {}, "openai, anthropic, google, openai-compatible"],
    ["anthropic:x", { OPENAI_API_KEY: "k" }, "set ANTHROPIC_API_KEY"],
    ["openai:x", {}, "set OPENAI_API_KEY"],
    ["openai-compatible:x", {}, "set OPENAI_BASE_URL"],
    ["openai-compatible:x", { OPENAI_BASE_URL: "file:///etc" }, "OPENAI_BASE_URL is not an address"],
  ])("is refused with what to change: %s", (text, env, message) => {
    expect(() => parseModel(text, env)).toThrow(
      expect.objectContaining({ code: "invalid_argument", message: expect.stringContaining(message) }),
    );
  });
});
