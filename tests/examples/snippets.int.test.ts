import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const run = promisify(execFile);

describe("the code in the docs", () => {
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
      await expect(execute(path)).resolves.toEqual(expect.any(String));
    } finally {
      await rm(path);
    }
  });
});
