import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFakeMachine, type FakeMachine } from "./fake-machine.ts";
import { setUpNpm } from "./npm.mjs";

const MANIFEST = { devDependencies: { node: "24.1.2" } };

test("npm installs once, and not again while nothing changes", async () => {
  const machine = createMachineWithNpm();
  await setUpNpm(machine.checkout, machine.progress);
  await setUpNpm(machine.checkout, machine.progress);
  expect(machine.calls()).toEqual(["npm install"]);
});

test("a changed lock, and a removed node_modules/.bin/node, install again", async () => {
  const machine = createMachineWithNpm();
  await setUpNpm(machine.checkout, machine.progress);
  writeFileSync(join(machine.checkout.root, "package-lock.json"), `{ "packages": {} }`);
  await setUpNpm(machine.checkout, machine.progress);
  rmSync(join(machine.checkout.root, "node_modules/.bin/node"));
  await setUpNpm(machine.checkout, machine.progress);
  expect(machine.calls()).toHaveLength(3);
});

test("a tree that npm itself installed is taken as it is", async () => {
  const machine = createMachineWithNpm();
  const { root } = machine.checkout;
  const lock = { packages: { "": MANIFEST, "node_modules/node": { version: "24.1.2" } } };
  writeFileSync(join(root, "package-lock.json"), JSON.stringify(lock));
  mkdirSync(join(root, "node_modules/.bin"), { recursive: true });
  writeFileSync(join(root, "node_modules/.bin/node"), "#!/bin/sh\necho v24.1.2\n", { mode: 0o755 });
  writeFileSync(join(root, "node_modules/.package-lock.json"), JSON.stringify(lock));
  await setUpNpm(machine.checkout, machine.progress);
  expect(machine.calls()).toEqual([]);
});

test("two at once install once", async () => {
  const machine = createMachineWithNpm();
  await Promise.all([
    setUpNpm(machine.checkout, machine.progress),
    setUpNpm(machine.checkout, machine.progress),
  ]);
  expect(machine.calls()).toEqual(["npm install"]);
  expect(machine.said()).toContain("waiting");
});

test("what a stopped install left is removed before the next", async () => {
  const machine = createMachineWithNpm();
  const { root, stateDir } = machine.checkout;
  mkdirSync(join(root, "node_modules/half"), { recursive: true });
  mkdirSync(join(stateDir, "setup"), { recursive: true });
  writeFileSync(join(stateDir, "setup/npm.unfinished"), "999999999");
  await setUpNpm(machine.checkout, machine.progress);
  expect(existsSync(join(root, "node_modules/half"))).toBe(false);
  expect(existsSync(join(stateDir, "setup/npm.unfinished"))).toBe(false);
});

test("a failing npm stops the start with npm's own reason and what to do", async () => {
  const machine = createMachineWithNpm();
  machine.addProgram("npm", `printf 'npm error code E404\\nnpm error Not found: x\\n'; exit 1`);
  await expect(setUpNpm(machine.checkout, machine.progress)).rejects.toThrow(
    /Not found: x\n {2}Check the network and the registry/,
  );
});

test("a Node of the wrong version is an error that names both", async () => {
  const machine = createMachineWithNpm("v20.0.0");
  await expect(setUpNpm(machine.checkout, machine.progress)).rejects.toThrow(
    "should be Node v24.1.2 and is v20.0.0",
  );
});

function createMachineWithNpm(nodeVersion = "v24.1.2"): FakeMachine {
  const machine = createFakeMachine();
  writeFileSync(join(machine.checkout.root, "package.json"), JSON.stringify(MANIFEST));
  machine.addProgram(
    "npm",
    `case "$1" in view) exit;; esac
    log "$1"; mkdir -p node_modules/.bin; echo '{}' >node_modules/.package-lock.json
    printf '#!/bin/sh\\necho ${nodeVersion}\\n' >node_modules/.bin/node; chmod +x node_modules/.bin/node`,
  );
  return machine;
}
