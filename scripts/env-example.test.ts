import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "@atoll/server";
import { variables } from "@atoll/server/variables";
import { expect, onTestFinished, test } from "vitest";
import { writeExample } from "./env-example.ts";

const example = writeExample();

/** The configuration of a server that finds this file as its .env, and nothing in its environment. */
function loadWith(dotEnv?: string) {
  const cwd = mkdtempSync(join(tmpdir(), "atoll-env-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  if (dotEnv !== undefined) writeFileSync(join(cwd, ".env"), dotEnv);
  const { trustedProxies, ...config } = loadConfig({ cwd, env: {} });
  return { ...config, trustedProxies: trustedProxies.rules };
}

test("every variable is in it once, commented out, with its description and default", () => {
  for (const { name, description, ...variable } of variables) {
    const isSecret = "isSecret" in variable;
    const value = "default" in variable && !isSecret ? variable.default : "";
    expect(example.split(`\n\n# ${description}\n#${name}=${value}\n`)).toHaveLength(2);
  }
  const active = example.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  expect(active).toEqual([]);
});

test("no secret has a value, not even a default", () => {
  const table = variables.map((variable) => ({
    ...variable,
    isSecret: true,
    default: "hunter2hunter2hunter2",
  }));
  expect(writeExample(table)).not.toContain("hunter2");
});

test("a copy of it changes nothing, nor does one with every # removed", () => {
  const usual = loadWith();
  expect(loadWith(example)).toEqual(usual);
  const { sandboxEnv, ...rest } = loadWith(example.replaceAll(/^#(?=[A-Z_]+=)/gm, ""));
  expect({ ...rest, sandboxEnv: {} }).toEqual(usual);
  // These are passed on to the drivers as they are set, here to the defaults.
  expect(Object.keys(sandboxEnv)).toContain("CPYTHON_NOFILE");
});

test("a variable that is new, or gone, is named", () => {
  const groups = [{ title: "One", names: ["PORT"] }];
  const [port, host] = variables;
  expect(() => writeExample([port, host], groups)).toThrow(/exactly one group.*: HOST/);
  expect(() => writeExample([], groups)).toThrow("PORT of scripts/env-example.ts is not a variable");
});
