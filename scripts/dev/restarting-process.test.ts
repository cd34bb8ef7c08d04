import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { RestartingProcess } from "./restarting-process.ts";

/** A program that notes its start, its signal and its end, and takes its time with the last. */
const slow = `
  process.on("SIGTERM", () => { note("signal"); setTimeout(() => { note("end"); process.exit(0); }, 200); });
  process.on("disconnect", () => { note("orphan"); process.exit(0); });
  note("start");`;
const deaf = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); note("start");`;

function run(program: string, { graceMs = 60_000 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "atoll-dev-"));
  const log = join(folder, "log");
  writeFileSync(log, "");
  const note = `const note = (word) => require("node:fs").appendFileSync(${JSON.stringify(log)}, word + "\\n");`;
  const said: string[] = [];
  const restarting = new RestartingProcess({
    command: [process.execPath, "--eval", note + program],
    graceMs,
    say: (text) => said.push(text),
  });
  onTestFinished(async () => {
    await restarting.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const read = () => readFileSync(log, "utf8").split("\n").filter(Boolean);
  const until = async (words: string[]) => {
    await expect.poll(read).toEqual(words);
  };
  return { restarting, said, read, until };
}

test("the next starts when the last has ended in its own time", async () => {
  const { restarting, until, said } = run(slow);
  await until(["start"]);
  restarting.restart("a.ts has changed");
  await until(["start", "signal", "end", "start"]);
  await restarting.stop();
  await until(["start", "signal", "end", "start", "signal", "end"]);
  expect(restarting.pid).toBeUndefined();
  expect(said).toEqual(["starts again, since a.ts has changed"]);
});

test("changes in the meantime cost one start, and an end wins over them", async () => {
  const { restarting, until, read } = run(slow);
  await until(["start"]);
  for (let change = 0; change < 5; change += 1) restarting.restart("a change");
  await until(["start", "signal", "end", "start"]);
  restarting.restart("a change");
  await restarting.stop();
  expect(read()).toEqual(["start", "signal", "end", "start", "signal", "end"]);
});

test("one that does not listen is killed", async () => {
  const { restarting, until } = run(deaf, { graceMs: 100 });
  await until(["start"]);
  await restarting.stop();
  expect(restarting.pid).toBeUndefined();
});

test("one that fails says so, and starts again with the next change", async () => {
  const { restarting, until, said } = run(`note("start"); process.exit(3);`);
  await expect.poll(() => said).toEqual(["has ended (3); it starts again with the next change"]);
  restarting.restart("a change");
  await until(["start", "start"]);
});
