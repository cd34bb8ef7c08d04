import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { createFakeMachine } from "./fake-machine.ts";
import { setUpSystem } from "./system.mjs";

test("root on Debian gets bubblewrap installed, and is told", async () => {
  const machine = createFakeMachine({ isRoot: true });
  machine.addProgram("apt-get", `log "$*"; cp "$0" "$(dirname "$0")/bwrap"`);
  await setUpSystem(machine.checkout, machine.progress, ["start"]);
  await setUpSystem(machine.checkout, machine.progress, ["start"]);
  expect(machine.calls()).toEqual([expect.stringMatching(/^apt-get .* bubblewrap$/)]);
  expect(machine.said()).toContain("installing bubblewrap with apt-get, as root");
});

test("anyone else is told the one command to run", async () => {
  const machine = createFakeMachine();
  machine.addProgram("apt-get", `log called`);
  await setUpSystem(machine.checkout, machine.progress, ["start"]);
  expect(machine.said()).toContain("Run: sudo apt-get install -y bubblewrap");
  expect(machine.calls()).toEqual([]);
});

test("an apt-get that failed is not tried on every start, only when forced", async () => {
  const machine = createFakeMachine({ isRoot: true });
  machine.addProgram("apt-get", `log "$*"; echo "E: no network"; exit 100`);
  await setUpSystem(machine.checkout, machine.progress, ["start"]);
  const calls = machine.calls().length;
  await setUpSystem(machine.checkout, machine.progress, ["start"]);
  expect(machine.calls()).toHaveLength(calls);
  expect(machine.said()).toContain("no network");
  await setUpSystem({ ...machine.checkout, isForced: true }, machine.progress, ["start"]);
  expect(machine.calls().length).toBeGreaterThan(calls);
});

test("old package lists are fetched anew before giving up", async () => {
  const machine = createFakeMachine({ isRoot: true });
  machine.addProgram(
    "apt-get",
    `cd "$(dirname "$0")"
    case "$*" in
    *update) touch lists ;;
    *) test -e lists && cp apt-get bwrap ;;
    esac`,
  );
  await setUpSystem(machine.checkout, machine.progress, ["start"]);
  await setUpSystem(machine.checkout, machine.progress, ["start"]);
  expect(machine.said()).not.toContain("missing");
});

test("a machine without a font for Chinese is told what for", async () => {
  const machine = createFakeMachine();
  machine.addProgram("bwrap", "");
  rmSync(machine.checkout.fontsDir, { recursive: true });
  await setUpSystem(machine.checkout, machine.progress, ["start"]);
  expect(machine.said()).toContain("missing fonts-wqy-microhei (for Chinese, Japanese and Korean in plots)");
});
