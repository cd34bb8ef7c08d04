import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, test } from "vitest";
import { findLayerFaults, listImports } from "./check-layers.ts";

const LAYERS = { sandbox: [], cli: ["sandbox"] };
const SANDBOX = {
  "packages/sandbox/package.json": `{ "exports": "./src/index.ts", "dependencies": { "zod": "4" } }`,
};
const CLI = { "packages/cli/package.json": `{ "dependencies": { "@atoll/sandbox": "0.1.0" } }` };

test("imports that the table and package.json allow pass", () => {
  const faults = check({
    "packages/cli/src/main.ts": `import { Sandbox } from "@atoll/sandbox";\nimport "node:fs";`,
    "packages/sandbox/src/index.ts": `export * from "./deep/contract.ts";\nimport { z } from "zod";`,
    "packages/sandbox/src/x.test.ts": `import { test } from "vitest"; import "../../../tests/support/x.ts";`,
    "bench/main.ts": `import { Sandbox } from "@atoll/sandbox";`,
  });
  expect(faults).toEqual([]);
});

test.each([
  ["a lower layer importing a higher one", "packages/sandbox/src/a.ts", `import "@atoll/cli";`],
  ["a deep import into another package", "packages/cli/src/a.ts", `import "@atoll/sandbox/src/errors.ts";`],
  [
    "a relative import out of the package",
    "packages/cli/src/a.ts",
    `export * from "../../sandbox/src/index.ts";`,
  ],
  ["test support outside a test", "packages/cli/src/a.ts", `import "../../../tests/support/x.ts";`],
  ["a relative import into a package", "bench/a.ts", `await import("../packages/sandbox/src/index.ts");`],
  ["a package that is not declared", "packages/cli/src/a.ts", `import { z } from "zod";`],
])("%s is a fault", (_, file, source) => {
  const faults = check({ [file]: source });
  expect(faults).toHaveLength(1);
  expect(faults[0]).toContain(file);
});

describe("the folders of a package", () => {
  const FOLDERS = { sandbox: [["errors.ts"], ["store"], ["http"]] };
  const checkFolders = (files: Record<string, string>) => check(files, FOLDERS);

  it("may import the layers above their own, and their own files", () => {
    const faults = checkFolders({
      "packages/sandbox/src/http/app.ts": `import "../store/open.ts"; import "./api/x.ts"; import "../errors.ts";`,
    });
    expect(faults).toEqual([]);
  });

  it("may not import the layers below their own", () => {
    const [fault, ...others] = checkFolders({
      "packages/sandbox/src/store/open.ts": `import "../http/app.ts";`,
    });
    expect(fault).toContain("the layers do not allow to store");
    expect(others).toEqual([]);
  });

  it("have a layer each", () => {
    const [fault] = checkFolders({ "packages/sandbox/src/stray/a.ts": `import "../errors.ts";` });
    expect(fault).toContain("stray has no layer");
  });

  it("bind neither tests nor harnesses", () => {
    const faults = checkFolders({
      "packages/sandbox/src/store/open.test.ts": `import "../http/app.ts";`,
      "packages/sandbox/src/store/server.harness.ts": `import "../http/app.ts";`,
    });
    expect(faults).toEqual([]);
  });
});

test("a package without a row in the table is a fault", () => {
  expect(check({ "packages/stray/package.json": "{}" })[0]).toContain("packages/stray");
});

test("imports are found in all their forms, and not in comments or strings", () => {
  const source = `import a, { type B } from "a";
    import {
      c,
    } from 'c';
    import "d";
    export type { E } from "e";
    const f = await import("f");
    // import "no-1";
    /** @type {import("no-2")} */
    const text = 'nothing to import here from "no-3"';
    const code = \`
import "no-4"
\`;`;
  expect(listImports(source)).toEqual(["a", "c", "d", "e", "f"]);
});

function check(files: Record<string, string>, folders: Record<string, string[][]> = {}): string[] {
  const root = mkdtempSync(join(tmpdir(), "atoll-layers-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const rootManifest = {
    "package.json": `{ "devDependencies": { "vitest": "5", "@atoll/sandbox": "0.1.0" } }`,
  };
  for (const [path, text] of Object.entries({ ...rootManifest, ...SANDBOX, ...CLI, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return findLayerFaults(root, LAYERS, folders);
}
