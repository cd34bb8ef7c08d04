import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";

/** Runs this code in a process of its own, which says what it was asked and ends. */
async function run(code: string) {
  const source = `import { countDefects, runEndable, surviveDefects } from ${JSON.stringify(join(import.meta.dirname, "last-resort.ts"))};\n${code}`;
  const child = spawn(process.execPath, ["--no-warnings", "--input-type=module", "-e", source], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit") as Promise<[number]>,
  ]);
  return { output: output.trim(), errors, exitCode };
}

it("ends the work that a defect belongs to, says so, counts it, and goes on", async () => {
  const { output, errors, exitCode } = await run(`
    surviveDefects();
    const ended = [], kept = [];
    const begin = (name, work) => runEndable(kept[kept.push({ destroy: () => ended.push(name) }) - 1], work);
    begin("request 1", () => setTimeout(() => { throw new Error("from a timer"); }, 1));
    begin("request 2", () => process.nextTick(() => process.emit("x", process.nextTick(() => { throw new Error("from an event"); }))));
    begin("request 3", () => void Promise.reject(new Error("from a promise")));
    begin("request 4", () => setTimeout(() => console.log(ended.sort().join(), countDefects()), 50));
  `);
  expect([output, exitCode]).toEqual(["request 1,request 2,request 3 3", 0]);
  for (const words of ["ends one request", "from a timer", "from an event", "from a promise"])
    expect(errors).toContain(words);
});

it("logs only so many of a defect that comes again and again", async () => {
  const { output, errors } = await run(`
    surviveDefects();
    for (let index = 0; index < 500; index += 1) setTimeout(() => { throw new Error("again"); }, 1);
    setTimeout(() => console.log(countDefects()), 100);
  `);
  expect([output, errors.match(/Error: again/g)?.length]).toEqual(["500", 20]);
});

it.each([
  ["a lack of memory", `new RangeError("Array buffer allocation failed")`],
  [
    "a lack of memory as a cause",
    `new Error("x", { cause: new RangeError("Array buffer allocation failed") })`,
  ],
])("does not go on after %s", async (_name, error) => {
  const { exitCode, errors } = await run(`
    surviveDefects();
    setTimeout(() => { throw ${error}; }, 1);
    setTimeout(() => {}, 60_000);
  `);
  expect([exitCode, errors.includes("cannot go on")]).toEqual([1, true]);
});

it.each([
  ["a damaged database", `Object.assign(new Error("malformed"), { code: "ERR_SQLITE_ERROR", errcode: 11 })`],
  ["words of a sandbox", `new Error("Array buffer allocation failed")`],
])("goes on after %s", async (_name, error) => {
  const { exitCode, output } = await run(`
    surviveDefects();
    setTimeout(() => { throw ${error}; }, 1);
    setTimeout(() => console.log("alive"), 50);
  `);
  expect([exitCode, output]).toEqual([0, "alive"]);
});

it("hides nothing before it is called", async () => {
  const { exitCode, errors } = await run(`setTimeout(() => { throw new Error("at the start"); }, 1);`);
  expect([exitCode, errors.includes("at the start")]).toEqual([1, true]);
});
