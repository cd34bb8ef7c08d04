import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { addPython, createFakeMachine, type FakeMachine } from "./fake-machine.ts";
import { setUpPython, setUpTestPython } from "./python.mjs";
import { PYTHON_PACKAGES } from "./python/packages.mjs";

const EVERYTHING = PYTHON_PACKAGES.map(({ module }) => module);
const DEBIAN_HAS = PYTHON_PACKAGES.flatMap(({ module, debian }) => (debian ? [module] : []));

test("packages come from PyPI where it answers", async () => {
  const machine = createFakeMachine();
  addPython(machine, "python3", { isIndexReachable: true, modules: EVERYTHING });
  await setUpPython(machine.checkout, machine.progress);

  const outcome = readOutcome(machine);
  expect(outcome).toMatchObject({ source: "pypi", missing: [] });
  expect(outcome.python.startsWith(join(machine.checkout.cacheDir, "python-"))).toBe(true);
  expect(existsSync(outcome.python)).toBe(true);
  expect(existsSync(outcome.mplConfigDir)).toBe(true);
});

test("a venv holds no trace of the name it was built under", async () => {
  const machine = createFakeMachine();
  addPython(machine, "python3", { isIndexReachable: true, modules: EVERYTHING });
  await setUpPython(machine.checkout, machine.progress);
  const venvDir = join(readOutcome(machine).python, "../..");
  expect(readFileSync(join(venvDir, "pyvenv.cfg"), "utf8")).toBe(`command = ${venvDir}`);
});

test("the second time no program runs and nothing is said", async () => {
  const machine = createFakeMachine();
  addPython(machine, "python3", { isIndexReachable: true, modules: EVERYTHING });
  await setUpPython(machine.checkout, machine.progress);
  const [calls, said] = [machine.calls(), machine.said()];
  await setUpPython(machine.checkout, machine.progress);
  expect(machine.calls()).toEqual(calls);
  expect(machine.said()).toBe(said);
});

test("two at once build one venv", async () => {
  const machine = createFakeMachine();
  addPython(machine, "python3", { isIndexReachable: true, modules: EVERYTHING });
  await Promise.all([
    setUpPython(machine.checkout, machine.progress),
    setUpPython(machine.checkout, machine.progress),
  ]);
  expect(machine.calls().filter((call) => call.endsWith("pip install"))).toHaveLength(1);
});

test("a venv that was removed is made again", async () => {
  const machine = createFakeMachine();
  addPython(machine, "python3", { isIndexReachable: true, modules: EVERYTHING });
  await setUpPython(machine.checkout, machine.progress);
  rmSync(machine.checkout.cacheDir, { recursive: true });
  await setUpPython(machine.checkout, machine.progress);
  expect(existsSync(readOutcome(machine).python)).toBe(true);
});

test("what a killed run left behind is neither used nor kept", async () => {
  const machine = createFakeMachine();
  addPython(machine, "python3", { isIndexReachable: true, modules: EVERYTHING });
  mkdirSync(join(machine.checkout.cacheDir, "python-0123456789abcdef.tmp-999999999/bin"), {
    recursive: true,
  });
  await setUpPython(machine.checkout, machine.progress);
  const venvName = readOutcome(machine).python.split("/").at(-3);
  expect(readdirSync(machine.checkout.cacheDir)).toEqual([venvName]);
});

test("a venv whose packages cannot be imported is not used", async () => {
  const machine = createFakeMachine();
  addPython(machine, "python3", { isIndexReachable: true, modules: ["numpy"] });
  await setUpPython(machine.checkout, machine.progress);
  expect(readOutcome(machine).source).toBe("machine");
  expect(machine.said()).toContain("cannot be imported after installing");
});

test("without PyPI, root on Debian takes Debian's packages with Debian's Python", async () => {
  const machine = createFakeMachine({ isRoot: true });
  addPython(machine, "python3", {});
  const debianPython = addPython(machine, "debian-python3", { modules: DEBIAN_HAS });
  machine.addProgram("apt-get", `log "$*"`);
  await setUpPython(machine.checkout, machine.progress);

  expect(readOutcome(machine)).toMatchObject({
    python: debianPython,
    source: "debian",
    missing: ["pyarrow"],
  });
  expect(machine.calls().at(-1)).toContain("python3-pandas");
  expect(machine.said()).toContain("without pyarrow");
});

test("without PyPI and without root, the Python that can import most is used, and says what it lacks", async () => {
  const machine = createFakeMachine();
  addPython(machine, "python3", { modules: ["numpy"] });
  const better = addPython(machine, "python3.12", { version: [3, 12, 1], modules: ["numpy", "pandas"] });
  machine.addProgram("apt-get", `log called`);
  await setUpPython(machine.checkout, machine.progress);

  const outcome = readOutcome(machine);
  expect(outcome).toMatchObject({ python: better, source: "machine" });
  expect(outcome.missing).not.toContain("pandas");
  expect(outcome.missing).toContain("scipy");
  expect(machine.said()).toContain("npm run setup -- --force");
  expect(machine.calls()).not.toContain("apt-get called");
});

test("a failing apt-get leads to what the machine has", async () => {
  const machine = createFakeMachine({ isRoot: true });
  addPython(machine, "python3", { modules: ["numpy"] });
  machine.addProgram("apt-get", `echo "E: Unable to fetch some archives"; exit 100`);
  await setUpPython(machine.checkout, machine.progress);
  expect(readOutcome(machine).source).toBe("machine");
  expect(machine.said()).toContain("Unable to fetch some archives");
});

test("--force tries PyPI again after a fallback", async () => {
  const machine = createFakeMachine();
  addPython(machine, "python3", {});
  await setUpPython(machine.checkout, machine.progress);
  addPython(machine, "python3", { isIndexReachable: true, modules: EVERYTHING });
  await setUpPython(machine.checkout, machine.progress);
  expect(readOutcome(machine).source).toBe("machine");
  await setUpPython({ ...machine.checkout, isForced: true }, machine.progress);
  expect(readOutcome(machine).source).toBe("pypi");
});

test("what only the tests need is in a venv of its own, made once", async () => {
  const machine = createFakeMachine();
  addPython(machine, "python3", { isIndexReachable: true, modules: EVERYTHING });
  await setUpPython(machine.checkout, machine.progress);
  await setUpTestPython(machine.checkout, machine.progress);
  const path = join(machine.checkout.stateDir, "python-schemathesis.json");
  const { python } = JSON.parse(readFileSync(path, "utf8")) as { python: string };
  expect(python.startsWith(join(machine.checkout.cacheDir, "schemathesis-"))).toBe(true);
  expect(python).not.toBe(readOutcome(machine).python);
  const calls = machine.calls();
  await setUpTestPython(machine.checkout, machine.progress);
  expect(machine.calls()).toEqual(calls);
});

test("without PyPI the set-up says that the tests go without Schemathesis", async () => {
  const machine = createFakeMachine();
  addPython(machine, "python3", { modules: ["numpy"] });
  await setUpPython(machine.checkout, machine.progress);
  await setUpTestPython(machine.checkout, machine.progress);
  expect(existsSync(join(machine.checkout.stateDir, "python-schemathesis.json"))).toBe(false);
  expect(machine.said()).toContain("no Schemathesis from PyPI");
});

test("a Python that is too old or lacks venv is passed over", async () => {
  const machine = createFakeMachine();
  addPython(machine, "python3", { version: [3, 9, 2], isIndexReachable: true, modules: EVERYTHING });
  addPython(machine, "python3.13", { version: [3, 13, 0], hasVenv: false });
  addPython(machine, "python3.12", { version: [3, 12, 0], isIndexReachable: true, modules: EVERYTHING });
  await setUpPython(machine.checkout, machine.progress);
  expect(machine.said()).toContain("Python 3.12.0");
});

test("ATOLL_PYTHON_BASE goes before python3, and a bad one is named", async () => {
  const machine = createFakeMachine();
  addPython(machine, "python3", { isIndexReachable: true, modules: EVERYTHING });
  vi.stubEnv("ATOLL_PYTHON_BASE", "/nowhere/python3");
  await setUpPython(machine.checkout, machine.progress);
  expect(machine.said()).toContain("ATOLL_PYTHON_BASE=/nowhere/python3 is not");

  const traits = { version: [3, 14, 2], isIndexReachable: true, modules: EVERYTHING } as const;
  vi.stubEnv("ATOLL_PYTHON_BASE", addPython(machine, "my-python", { ...traits, version: [3, 14, 2] }));
  await setUpPython(machine.checkout, machine.progress);
  expect(machine.said()).toContain("Python 3.14.2");
});

test("a machine without Python starts all the same and is told what to install", async () => {
  const machine = createFakeMachine();
  await setUpPython(machine.checkout, machine.progress);
  expect(machine.said()).toContain("no Python 3.11 or newer found");
});

function readOutcome({ checkout }: FakeMachine) {
  return JSON.parse(readFileSync(join(checkout.stateDir, "python.json"), "utf8"));
}
