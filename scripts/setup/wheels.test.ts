import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFakeMachine } from "./fake-machine.ts";
import { setUpWheels } from "./wheels.mjs";

/** What pip is told ends with `--dest <folder>`. */
const FETCH = `log "$*" | head -1; case "$*" in *download*) for last; do :; done; mkdir -p "$last"; touch "$last/a-1.whl";; *) echo '{"a-1.whl": ["a"]}' > "$3/index.json";; esac`;

test("wheels are fetched once by their hashes, and again when the lock changes", async () => {
  const { machine, folder } = createCheckout(FETCH);
  await setUpWheels(machine.checkout, machine.progress);
  await setUpWheels(machine.checkout, machine.progress);
  expect(machine.calls().filter((call) => call.includes("download"))).toHaveLength(1);
  expect(machine.calls()[0]).toContain("--require-hashes");
  expect(JSON.parse(readFileSync(join(folder, "index.json"), "utf8"))).toEqual({ "a-1.whl": ["a"] });

  writeFileSync(join(machine.checkout.root, "python/pyodide.lock"), "a==2 --hash=sha256:2");
  await setUpWheels(machine.checkout, machine.progress);
  expect(machine.calls().filter((call) => call.includes("download"))).toHaveLength(2);
});

test("what cannot be fetched is said, keeps what was there, and is tried again", async () => {
  const { machine, folder } = createCheckout(`log "$*"; echo 'no such wheel'; exit 1`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "old-1.whl"), "");
  await setUpWheels(machine.checkout, machine.progress);
  expect(machine.said()).toContain("runtime pyodide has the standard library only: no such wheel.");
  expect(existsSync(join(folder, "old-1.whl"))).toBe(true);
  await setUpWheels(machine.checkout, machine.progress);
  expect(machine.calls()).toHaveLength(2);
});

test("without a Python nothing is fetched", async () => {
  const { machine } = createCheckout(FETCH, { hasPython: false });
  await setUpWheels(machine.checkout, machine.progress);
  expect(machine.calls()).toEqual([]);
});

function createCheckout(script: string, { hasPython = true } = {}) {
  const machine = createFakeMachine();
  const { root, stateDir } = machine.checkout;
  mkdirSync(stateDir, { recursive: true });
  writeFileSync(join(root, "python/pyodide.lock"), "a==1 --hash=sha256:1");
  const python = machine.addProgram("python3", script);
  if (hasPython) writeFileSync(join(stateDir, "python.json"), JSON.stringify({ python }));
  return { machine, folder: join(stateDir, "wheels") };
}
