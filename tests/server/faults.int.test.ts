import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { DataFolder } from "../support/data-folder.ts";
import { answer as say, type ScriptedOpenAI, startScriptedOpenAI } from "../support/scripted-openai/index.ts";
import { Workload } from "../support/workload.ts";
import { modelEnvironment } from "./conversation/bench.ts";
import { faults } from "./faults/mixed.ts";

/** More of them: ATOLL_TEST_FAULTS=500. */
const count = Number(process.env["ATOLL_TEST_FAULTS"] ?? 50);
const threads = 8;
const clock = join(import.meta.dirname, "../support/jumping-clock.ts");

let folder: DataFolder;
let models: ScriptedOpenAI;
afterEach(async () => {
  await folder[Symbol.asyncDispose]();
  await models.close();
});

it(
  `loses nothing that it acknowledged in ${count} kills of the server under load`,
  async () => {
    const { workload, start } = await prepare("kills");
    for (let round = 1; round <= count; round += 1) {
      workload.begin();
      await workload.strikeAfter(1 + Math.floor(Math.random() * 3 * threads));
      await folder.kill();
      await workload.end();
      workload.moveTo((await start()).url);
      // Where the next kill comes while the last one is being mended, too.
      if (round % 5 === 0) expect(await workload.findLosses(folder.path), `kill ${round}`).toEqual([]);
    }
    await judge("kill -9 of the server", workload);
  },
  count * 60_000,
);

it(
  `loses nothing that it acknowledged in ${count} mixed faults under load`,
  async () => {
    const { workload, start, first } = await prepare("mixed");
    const kinds = Object.entries(faults);
    let server = first;
    for (let round = 1; round <= count; round += 1) {
      const [name, strike] = kinds[round % kinds.length] ?? [];
      workload.begin();
      await workload.strikeAfter(1 + Math.floor(Math.random() * 2 * threads));
      server = (await strike?.({ folder, server, start })) ?? server;
      await workload.end();
      workload.moveTo(server.url);
      if (round % kinds.length === 0)
        expect(await workload.findLosses(folder.path), `${round}: ${name}`).toEqual([]);
    }
    await judge("mixed faults", workload);
  },
  count * 60_000,
);

async function prepare(name: string) {
  [folder, models] = await Promise.all([DataFolder.create(`faults-${name}`), startScriptedOpenAI()]);
  models.always(say("All done."));
  const env = { ...modelEnvironment(models), NODE_OPTIONS: `--import=${clock}` };
  const start = () => folder.start({ env });
  const first = await start();
  return { first, start, workload: await Workload.create(first.url, threads) };
}

async function judge(what: string, workload: Workload): Promise<void> {
  const losses = [...(await workload.findLosses(folder.path)), ...(await workload.findUnanswered())];
  const { messages, uploads, writes } = workload.acknowledged;
  console.log(
    `${count} × ${what}: acknowledged ${messages} messages, ${uploads} uploads, ${writes} writes; lost ${losses.length}`,
  );
  expect(losses).toEqual([]);
  expect(Math.min(messages, uploads, writes)).toBeGreaterThan(0);
}
