import { execFile } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");
const pages = [
  "README.md",
  "ARCHITECTURE.md",
  "SECURITY.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  ...globSync("docs/*.md", { cwd: root }),
];
const run = promisify(execFile);

describe("the docs", () => {
  it.each(pages)("%s names only files that are there", (page) => {
    const text = readFileSync(join(root, page), "utf8");
    const paths = [
      ...text.matchAll(/`((?:packages|tests|scripts|bench|examples|data|python|docs)\/[^`*<{ ]+)`/g),
    ];
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)];
    const missing = [...paths.map(([, path]) => path ?? ""), ...links.map(([, path]) => path ?? "")].filter(
      (path) => !existsSync(join(root, path)) && !existsSync(join(root, page, "..", path)),
    );
    expect(missing).toEqual([]);
  });

  it("tell of the version that package.json has, and of what comes after it", () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    const headings = readFileSync(join(root, "CHANGELOG.md"), "utf8").match(/^## .*$/gm);
    expect(headings?.slice(0, 2)).toEqual(["## [Unreleased]", expect.stringContaining(`[${version}] - 20`)]);
  });

  it("list every limit with its default, and every error code is explained where they say", async () => {
    const { defaultLimits } = await import("@atoll/sandbox");
    const page = readFileSync(join(root, "docs/sandbox.md"), "utf8");
    for (const name of Object.keys(defaultLimits)) expect(page).toContain(`| \`${name}\` |`);
  });

  it("list every environment variable that the code reads", () => {
    const sources = globSync("packages/*/src/**/*.ts", { cwd: root }).filter(
      (path) => !path.includes("conformance") && !path.endsWith(".test.ts"),
    );
    const read = sources.flatMap((path) => [
      ...readFileSync(join(root, path), "utf8").matchAll(/process\.env\["((?:ATOLL|SANDBOX)_[A-Z_]+)"\]/g),
    ]);
    const page = readFileSync(join(root, "docs/sandbox.md"), "utf8");
    expect(read.length).toBeGreaterThan(0);
    for (const [, name] of read) expect(page).toContain(`\`${name}\``);
  });
});

describe("the examples", () => {
  let dataDir = "";
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "atoll-docs-"));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));

  const execute = async (path: string): Promise<string> => {
    const env = { ...process.env, ATOLL_DATA_DIR: dataDir };
    return (await run(process.execPath, [path], { cwd: root, env })).stdout;
  };

  it("first-sandbox.ts shows a table and an artifact, and keeps its variables through a pause", async () => {
    const output = await execute(join(root, "examples/first-sandbox.ts"));
    expect(output).toMatch(/Shopping +104524\.91/);
    expect(output).toMatch(/artifact \/session\/artifacts\/spend\.png \(\d{4,} bytes\)/);
    expect(output).toMatch(/state: paused\nstate: running; df still has 6218 rows\nstate: dead/);
  });

  const snippets = ["README.md", "docs/sandbox.md", "docs/toolkit.md"].flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code], at) => ({
      title: `${page}, number ${at + 1}`,
      code: code ?? "",
    })),
  );

  it.each(snippets)("$title runs as it stands", async ({ code }) => {
    // Beside the sources, so that the package is found by its name.
    const path = join(root, `tests/.snippet-${process.pid}-${Math.random().toString(36).slice(2)}.ts`);
    await writeFile(path, code);
    try {
      await execute(path);
    } finally {
      await rm(path);
    }
  });
});
