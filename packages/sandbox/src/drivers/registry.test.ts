import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { RUNTIMES } from "./registry.ts";

const root = resolve(import.meta.dirname, "../../../..");
const page = readFileSync(join(root, "docs/sandbox.md"), "utf8");

describe("the registry of runtimes", () => {
  it.each(RUNTIMES)("loads the driver $name under its own name", async ({ name, load }) => {
    expect((await load("")).name).toBe(name);
  });

  it.each(RUNTIMES.filter(({ isAutomatic }) => isAutomatic))(
    "lets auto choose $name, since it isolates",
    async ({ load }) => {
      expect((await load("")).capabilities.isolation).toBe(true);
    },
  );

  it("has an entry for every folder of a driver", () => {
    const folders = globSync("*/driver.ts", { cwd: import.meta.dirname }).map((path) => path.split("/")[0]);
    expect(folders.toSorted()).toEqual(RUNTIMES.map(({ name }) => name).toSorted());
  });

  it.each(RUNTIMES)("is documented in docs/sandbox.md: $name and its variables", ({ name, environment }) => {
    expect(page).toContain(`\n| \`${name}\` |`);
    for (const variable of environment) expect(page).toContain(`\`${variable}\``);
  });

  it("is documented in docs/sandbox.md: what auto chooses from", () => {
    const names = RUNTIMES.filter(({ isAutomatic }) => isAutomatic).map(({ name }) => `\`${name}\``);
    expect(page).toContain(
      `\`auto\` takes the first of ${names.slice(0, -1).join(", ")} and ${names.at(-1)}`,
    );
  });

  it("lists every environment variable that a driver reads", () => {
    const sources = globSync("**/*.ts", { cwd: import.meta.dirname }).filter(
      (path) => !path.endsWith(".test.ts"),
    );
    const read = sources.flatMap((path) =>
      [
        ...readFileSync(join(import.meta.dirname, path), "utf8").matchAll(
          /"((?:ATOLL|SANDBOX|CPYTHON|PYODIDE|DOCKER)_[A-Z_]+)"/g,
        ),
      ].map(([, name = ""]) => name),
    );
    const known = new Set(RUNTIMES.flatMap(({ environment }) => environment));
    // The data folder and the choice of a runtime belong to no driver; the last is written for the zygote.
    const common = ["ATOLL_DATA_DIR", "SANDBOX_RUNTIME", "ATOLL_MPLCONFIG"];
    expect([...new Set(read)].filter((name) => !known.has(name) && !common.includes(name))).toEqual([]);
  });
});
