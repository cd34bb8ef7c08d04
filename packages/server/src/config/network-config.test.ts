import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ConfigError, loadConfig } from "./index.ts";

function load(env: Record<string, string>, file?: unknown, mode = 0o600) {
  const cwd = mkdtempSync(join(tmpdir(), "atoll-network-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const text = typeof file === "string" ? file : JSON.stringify(file);
  if (file !== undefined) {
    writeFileSync(join(cwd, "egress.json"), text);
    chmodSync(join(cwd, "egress.json"), mode);
  }
  const given = file === undefined ? {} : { ATOLL_EGRESS_FILE: "egress.json" };
  return loadConfig({ cwd, env: { ...given, ...env } }).network;
}

test("without any variable no thread has a network, and may ask for any", () => {
  expect(load({})).toEqual({ usual: "none", egress: {} });
});

test("a policy is a word, or hosts with commas", () => {
  const env = { ATOLL_NETWORK: "all-public", ATOLL_NETWORK_MAX: "all-public" };
  expect(load(env)).toMatchObject({ usual: "all-public", widest: "all-public" });
  expect(load({ ATOLL_NETWORK: " a.test, *.b.test:8443 ," }).usual).toEqual({
    allow: ["a.test", "*.b.test:8443"],
  });
});

test.each([
  [{ ATOLL_NETWORK: "all public" }, /ATOLL_NETWORK: .*"all public" is no host/],
  [{ ATOLL_NETWORK: "*" }, /is no host/],
  [{ ATOLL_NETWORK_MAX: "https://a.test" }, /ATOLL_NETWORK_MAX: .* is no host/],
  [{ ATOLL_NETWORK: "a.test", ATOLL_NETWORK_MAX: "b.test" }, /allows more than ATOLL_NETWORK_MAX/],
  [{ ATOLL_EGRESS_FILE: "missing.json" }, /ATOLL_EGRESS_FILE: the file cannot be read \(ENOENT\)/],
])("%j is refused at the start", (env, words) => {
  expect(() => load(env)).toThrow(words);
});

test("the file has credentials, own addresses, variables and limits", () => {
  const file = {
    credentials: [
      { host: "git.test", value: "Basic abc" },
      { host: "api.test", header: "x-key", valueFromEnv: "API_KEY" },
    ],
    addresses: { "mirror.test": "http://10.0.0.5:8080" },
    env: { PIP_INDEX_URL: "http://mirror.test/simple/" },
    limits: { maxBytes: 1000 },
  };
  expect(load({ API_KEY: "from-the-environment" }, file).egress).toEqual({
    credentials: [
      { host: "git.test", value: "Basic abc" },
      { host: "api.test", header: "x-key", value: "from-the-environment" },
    ],
    addresses: file.addresses,
    env: file.env,
    maxBytes: 1000,
  });
});

test.each([
  ["{ hunter2", /the file is not JSON/],
  [{ credentials: [{ host: "a.test", value: 5, hunter2: 1 }] }, /credentials\.0/],
  [{ credentials: [{ host: "a.test" }] }, /a\.test needs value or valueFromEnv/],
  [{ credentials: [{ host: "a.test", value: "hunter2", valueFromEnv: "X" }] }, /one of the two/],
  [
    { credentials: [{ host: "a.test", valueFromEnv: "NOT_THERE" }] },
    /NOT_THERE, named for a\.test, is not set/,
  ],
  [{ credentials: [{ host: "a.test", value: "hunter2\nX: y" }] }, /none that HTTP can carry/],
  [{ addresses: { "a.test": "10.0.0.1" } }, /an http\(s\) address/],
  [{ limits: { maxBytes: 0 } }, /limits\.maxBytes/],
  [{ unknown: 1 }, /ATOLL_EGRESS_FILE: the file/],
])("a file with %j is refused, without a word of its content", (file, words) => {
  let failure: unknown;
  try {
    load({}, file);
  } catch (error) {
    failure = error;
  }
  expect(failure).toBeInstanceOf(ConfigError);
  expect(String(failure)).toMatch(words);
  expect(String(failure).replace(/"hunter2"/, "")).not.toContain("hunter2");
});

test("a file that others may read is refused", () => {
  expect(() => load({}, {}, 0o640)).toThrow(/chmod 600/);
  expect(load({}, {}, 0o400).egress).toEqual({});
});
