import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ConfigError, loadConfig, variables } from "./index.ts";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "atoll-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const load = (env: Record<string, string>, dotEnv?: string) => {
  const cwd = makeFolder();
  if (dotEnv !== undefined) writeFileSync(join(cwd, ".env"), dotEnv);
  return { cwd, config: loadConfig({ cwd, env }) };
};

test("without any variable the server listens on loopback, port 8000", () => {
  const { config } = load({});
  expect(config).toMatchObject({
    port: 8000,
    host: "127.0.0.1",
    isLoopback: true,
    maxInputChars: 32_000,
    warnings: [],
  });
  expect(config.maxUploadBytes).toBe(2048 * 1024 * 1024);
  expect(config.rateLimit).toEqual({ windowMs: 60_000, max: 600 });
  expect(config.token).toBeUndefined();
});

test(".env is read, and the real environment wins over it", () => {
  const { config } = load(
    { PORT: "9001", HOST: "" },
    'PORT=9000\nHOST=0.0.0.0\nATOLL_MODEL="openai:gpt-5.4-mini"\n# comment\n',
  );
  expect(config).toMatchObject({
    port: 9001,
    host: "0.0.0.0",
    isLoopback: false,
    model: "openai:gpt-5.4-mini",
  });
});

test("the address of a Postgres is taken as it is", () => {
  const address = "postgresql://user:p%40ss@db:5433/atoll?sslmode=require";
  expect(load({ DATABASE_URL: address, REDIS_HOST: "cache" }).config.databaseUrl).toBe(address);
  expect(load({}).config.databaseUrl).toBeUndefined();
});

test("a shared database without a Redis is refused, and a Redis can be named in two ways", () => {
  expect(() => load({ DATABASE_URL: "postgres://db/atoll" })).toThrow(/DATABASE_URL: it needs REDIS_URL too/);
  expect(load({ REDIS_HOST: "cache" }).config.redisUrl).toBe("redis://cache:6379");
  expect(load({ REDIS_HOST: "fd00::1", REDIS_PORT: "7000" }).config.redisUrl).toBe("redis://[fd00::1]:7000");
  expect(load({ REDIS_URL: "rediss://:secret@cache/3", REDIS_HOST: "x" }).config.redisUrl).toBe(
    "rediss://:secret@cache/3",
  );
  expect(load({}).config.redisUrl).toBeUndefined();
  expect(() => load({ REDIS_URL: "http://:hunter2@cache" })).toThrow(
    /^REDIS_URL: the value given is not valid: it must be the address of a Redis/,
  );
});

test("a folder is taken relative to where the server starts", () => {
  const { config, cwd } = load({ ATOLL_DATA_DIR: "data" });
  expect(config.dataDir).toBe(join(cwd, "data"));
});

test("every fault is named at once, with the value and what is allowed", () => {
  try {
    load({
      PORT: "80000",
      MAX_UPLOAD_MB: "many",
      OPENAI_BASE_URL: "localhost:11434",
      ATOLL_MODEL: "gpt",
      ATOLL_TRUSTED_PROXIES: "10.0.0.0/40",
    });
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as ConfigError).faults).toEqual([
      'PORT: "80000" is not valid: it must be a whole number from 0 to 65535',
      expect.stringContaining('ATOLL_MODEL: "gpt" is not valid: it must be built-in or provider:model'),
      expect.stringContaining(
        'OPENAI_BASE_URL: "localhost:11434" is not valid: it must be an http or https address',
      ),
      'MAX_UPLOAD_MB: "many" is not valid: it must be a whole number from 1 to 1048576',
      expect.stringContaining('ATOLL_TRUSTED_PROXIES: "10.0.0.0/40" is not valid'),
    ]);
  }
});

test("a secret is not shown, not even when it is wrong", () => {
  expect(() => load({ ATOLL_TOKEN: "short" })).toThrow(
    /^ATOLL_TOKEN: the value given is not valid: it must be at least 16/,
  );
  expect(() => load({ DATABASE_URL: "mysql://user:hunter2@db/atoll" })).toThrow(
    /^DATABASE_URL: the value given is not valid: it must be the address of a Postgres/,
  );
});

test("a mistyped name is pointed out with the one that is meant", () => {
  const { config } = load({ ATOLL_DATADIR: "x", ATOLL_PYTHON: "python3", ATOLL_WHATEVER_THIS_IS: "1" });
  expect(config.warnings).toEqual([
    "ATOLL_DATADIR is not a variable of Atoll and has no effect; is ATOLL_DATA_DIR meant?",
    "ATOLL_WHATEVER_THIS_IS is not a variable of Atoll and has no effect",
  ]);
});

test("no variable that some part reads is taken for a mistake", () => {
  const packages = join(import.meta.dirname, "../../..");
  const sources = globSync("*/src/**/*.ts", { cwd: packages }).filter((path) => !path.endsWith(".test.ts"));
  const names = sources.flatMap((path) =>
    [...readFileSync(join(packages, path), "utf8").matchAll(/process\.env\["(ATOLL_\w+)"\]/g)].map(
      ([, name = ""]) => name,
    ),
  );
  expect(names).toContain("ATOLL_PYTHON");
  const valid: Record<string, string> = {
    ATOLL_MODEL: "built-in",
    ATOLL_TOKEN: "t".repeat(16),
    ATOLL_TRUSTED_PROXIES: "::1",
  };
  expect(load(Object.fromEntries(names.map((name) => [name, valid[name] ?? "1"]))).config.warnings).toEqual(
    [],
  );
});

test("trusted proxies are addresses and networks", () => {
  const { config } = load({ ATOLL_TRUSTED_PROXIES: "10.0.0.0/8, ::1" });
  expect(config.trustedProxies.check("10.1.2.3")).toBe(true);
  expect(config.trustedProxies.check("::1", "ipv6")).toBe(true);
  expect(config.trustedProxies.check("11.0.0.1")).toBe(false);
});

test("docs/server.md lists every variable with its default and what it means", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../../docs/server.md"), "utf8");
  for (const { name, description, ...variable } of variables) {
    const shown = "default" in variable ? `\`${variable.default}\`` : "–";
    expect(page).toContain(`| \`${name}\` | ${shown} | ${description} |`);
  }
});
