import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { defaultLimits, errorCodes } from "@atoll/sandbox";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");
const pages = [
  "README.md",
  "ARCHITECTURE.md",
  "SECURITY.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  ...globSync("docs/*.md", { cwd: root }),
];
const readPage = (path: string) => readFileSync(join(root, path), "utf8");

describe("docs", () => {
  it.each(pages)("%s names only files that are there", (page) => {
    const text = readPage(page);
    const paths = listPaths(text).filter((path) =>
      /^(?:packages|tests|scripts|bench|examples|data|python|docs|templates)\/[^*<{ ]+$/.test(path),
    );
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)];
    const missing = [...paths, ...links.map(([, path]) => path ?? "")].filter(
      (path) => !existsSync(join(root, path)) && !existsSync(join(root, page, "..", path)),
    );
    expect(missing).toEqual([]);
  });

  it("ARCHITECTURE.md names every source folder in its map", () => {
    const map = readPage("ARCHITECTURE.md").split("## How a sandbox starts")[0] ?? "";
    const rows = map.split("\n").filter((line) => line.startsWith("| `"));
    expect(rows.length).toBeLessThan(30);
    const folders = [
      ...globSync("packages/*/{src,atoll_guest}/*/", { cwd: root }),
      ...globSync("tests/*/", { cwd: root }),
      ...globSync("*/", { cwd: root, exclude: (name) => /^(node_modules|packages|tests|docs)$/.test(name) }),
    ].filter((folder) => !/__pycache__|(^|\/)\./.test(folder));
    const isNamed = (folder: string) =>
      rows.some((row) => {
        const [, where = "", what = ""] = row.split(" | ").join("|").split("|");
        const parent = dirname(folder);
        return listPaths(where).some(
          (path) => path === folder || (path === parent && what.includes(`\`${basename(folder)}\``)),
        );
      });
    expect(folders.filter((folder) => !isNamed(folder))).toEqual([]);
  });

  it("CHANGELOG.md starts with what is unreleased and the version of package.json", () => {
    const { version } = JSON.parse(readPage("package.json")) as { version: string };
    const headings = readPage("CHANGELOG.md").match(/^## .*$/gm);
    expect(headings?.slice(0, 2)).toEqual(["## [Unreleased]", expect.stringContaining(`[${version}] - 20`)]);
  });

  it("docs/sandbox.md has every limit with its default", () => {
    const rows = readPage("docs/sandbox.md").matchAll(/^\| `(\w+)` \| ([\d,]+(?: [KMG]iB)?) \|/gm);
    const defaults = Object.fromEntries([...rows].map(([, name, text]) => [name, readQuantity(text ?? "")]));
    expect(defaults).toEqual(defaultLimits);
  });

  it("docs/sandbox.md explains every error code", () => {
    const rows = readPage("docs/sandbox.md").matchAll(/^\| `([a-z_]+)` \| (\S.*\S) \|$/gm);
    const explained = new Set([...rows].map(([, code]) => code));
    expect(errorCodes.filter((code) => !explained.has(code))).toEqual([]);
  });

  it("docs/sandbox.md has every environment variable that sandboxes read", () => {
    const sources = globSync("packages/*/src/**/*.ts", { cwd: root }).filter(
      (path) => !path.includes("conformance") && !path.endsWith(".test.ts"),
    );
    const read = sources.flatMap((path) => [
      ...readFileSync(join(root, path), "utf8").matchAll(/process\.env\["((?:ATOLL|SANDBOX)_[A-Z_]+)"\]/g),
    ]);
    const page = readPage("docs/sandbox.md");
    expect(read.length).toBeGreaterThan(0);
    for (const [, name] of read) expect(page).toContain(`\`${name}\``);
  });
});

/** The paths of a cell: `a/{b,c}` stands for two. */
function listPaths(cell: string): string[] {
  return [...cell.matchAll(/`([^`\n]+)`/g)].flatMap(([, path = ""]) => {
    const [, before = "", names, after = ""] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? [];
    return names === undefined ? [path] : names.split(",").map((name) => before + name + after);
  });
}

/** The number that "1 GiB" or "120,000" stands for. */
function readQuantity(text: string): number {
  const [number = "", unit = ""] = text.split(" ");
  const power = ["", "KiB", "MiB", "GiB"].indexOf(unit);
  return Number(number.replaceAll(",", "")) * 1024 ** power;
}
