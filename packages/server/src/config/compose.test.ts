import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "./config.ts";
import { variables } from "./variables.ts";

const compose = readFileSync(join(import.meta.dirname, "../../../../compose.yaml"), "utf8");

/** `NAME: value` of the servers' blocks, with what a user has to fill in filled in. */
function readEnvironment(): Record<string, string>[] {
  const common = /^x-environment: .*\n((?: {2}.*\n)+)/m.exec(compose)?.[1] ?? "";
  const servers = [...compose.matchAll(/^ {2}atoll-\d:\n((?: {4}.*\n)+)/gm)].map(([, block = ""]) => block);
  const read = (block: string) =>
    Object.fromEntries(
      [...block.matchAll(/^ +([A-Z][A-Z_]+): (.*)$/gm)].map(([, name = "", value = ""]) => [
        name,
        value
          .replaceAll(/^"|"$/g, "")
          .replaceAll(/\$\{(\w+):[?-][^}]*\}/g, (_, given) => `value-of-${given}`),
      ]),
    );
  return servers.map((block) => ({ ...read(common), ...read(block) }));
}

test("compose.yaml sets variables that there are, to values that the server takes", () => {
  const environments = readEnvironment();
  expect(environments).toHaveLength(2);
  const known = variables.map(({ name }) => name as string);
  const addresses = environments.map((env) => {
    expect(Object.keys(env).filter((name) => !known.includes(name))).toEqual([]);
    const config = loadConfig({ env, isDotEnvRead: false, cwd: "/" });
    expect(config).toMatchObject({ host: "0.0.0.0", port: 8000, dataDir: "/var/lib/atoll", warnings: [] });
    expect(config.redisUrl).toBe("redis://redis:6379/0");
    expect(config.databaseUrl).toMatch(/^postgres:\/\/atoll:.+@postgres:5432\/atoll$/);
    return config.advertiseUrl;
  });
  // Each under the name by which the others find it.
  expect(addresses).toEqual(["http://atoll-1:8000", "http://atoll-2:8000"]);
});
