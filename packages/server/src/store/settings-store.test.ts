import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { FileSettingsStore } from "./settings-store.ts";
import { makeDataDir } from "./temporary-store.harness.ts";

describe("settings", () => {
  it("are changed one by one and taken back with null", async () => {
    const folder = await makeDataDir(onTestFinished);
    const settings = new FileSettingsStore(folder);
    expect(settings.get()).toEqual({ keys: {} });
    await settings.update({ model: "openai:gpt", keys: { google: "g-key" } });
    const key = { openai: "sk-0123456789abcdef" };
    await settings.update({ baseUrl: "http://127.0.0.1:11434/v1", keys: { ...key, google: null } });
    const expected = {
      model: "openai:gpt",
      baseUrl: "http://127.0.0.1:11434/v1",
      keys: key,
    };
    expect(settings.get()).toEqual(expected);
    expect(new FileSettingsStore(folder).get()).toEqual(expected);
    expect(await settings.update({ model: null, baseUrl: undefined })).toEqual({
      baseUrl: expected.baseUrl,
      keys: expected.keys,
    });
  });

  it("are described without their keys", async () => {
    const settings = new FileSettingsStore(await makeDataDir(onTestFinished));
    await settings.update({ keys: { openai: "sk-0123456789abcdef", google: "shortkey" } });
    expect(settings.describe()).toEqual({ keys: { openai: { lastFour: "cdef" }, google: { lastFour: "" } } });
  });

  it("that cannot be read are not silently replaced", async () => {
    const folder = await makeDataDir(onTestFinished);
    const path = join(folder, "settings.json");
    writeFileSync(path, '{"keys": 1}');
    expect(() => new FileSettingsStore(folder)).toThrow(/settings.json cannot be read/);
    expect(readFileSync(path, "utf8")).toBe('{"keys": 1}');
  });
});
