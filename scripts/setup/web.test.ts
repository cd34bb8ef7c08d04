import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFakeMachine, type FakeMachine } from "./fake-machine.ts";
import { setUpWeb } from "./web.mjs";

test("the page is built once, and again when a source of it changes", async () => {
  const { machine, webDir } = createCheckout(BUILD);
  await setUpWeb(machine.checkout, machine.progress);
  expect(readFileSync(join(webDir, "dist/index.html"), "utf8")).toBe("the page\n");
  await setUpWeb(machine.checkout, machine.progress);
  expect(machine.calls()).toHaveLength(1);

  writeFileSync(join(webDir, "src/main.tsx"), "// another");
  await setUpWeb(machine.checkout, machine.progress);
  expect(machine.calls()).toHaveLength(2);
});

test("two at once build it once", async () => {
  const { machine } = createCheckout(BUILD);
  await Promise.all([
    setUpWeb(machine.checkout, machine.progress),
    setUpWeb(machine.checkout, machine.progress),
  ]);
  expect(machine.calls()).toHaveLength(1);
});

test("a build that fails keeps the old page, says why, and is tried again", async () => {
  const { machine, webDir } = createCheckout("log build; echo 'no such module: x'; exit 1");
  mkdirSync(join(webDir, "dist"));
  writeFileSync(join(webDir, "dist/index.html"), "the old page");
  await setUpWeb(machine.checkout, machine.progress);
  expect(machine.said()).toContain("not built, so /ui is empty or old: no such module: x.");
  expect(readFileSync(join(webDir, "dist/index.html"), "utf8")).toBe("the old page");
  await setUpWeb(machine.checkout, machine.progress);
  expect(machine.calls()).toHaveLength(2);
});

/** What vite is told: `vite.js build --outDir <folder> …`. */
const BUILD = 'log build; mkdir -p "$4"; echo "the page" >"$4/index.html"';

function createCheckout(node: string): { machine: FakeMachine; webDir: string } {
  const machine = createFakeMachine();
  const { root } = machine.checkout;
  const webDir = join(root, "packages/web");
  for (const name of ["web", "client", "protocol", "std"])
    mkdirSync(join(root, `packages/${name}/src`), { recursive: true });
  mkdirSync(join(root, "node_modules/.bin"), { recursive: true });
  writeFileSync(join(webDir, "src/main.tsx"), "// one");
  const program = machine.addProgram("node", node);
  writeFileSync(join(root, "node_modules/.bin/node"), readFileSync(program));
  chmodSync(join(root, "node_modules/.bin/node"), 0o755);
  return { machine, webDir };
}
