import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { expectSoon } from "../support/time-budget.ts";
import { DataFolder } from "../support/data-folder.ts";
import type { EventStream } from "../support/event-stream.ts";
import { type ScriptedOpenAI, startScriptedOpenAI } from "../support/scripted-openai/index.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { ThreadUser } from "../support/thread-user.ts";
import { type Bench, modelEnvironment } from "./conversation/bench.ts";
import { describeLoop } from "./conversation/loop.ts";
import { describeModelFaults } from "./conversation/faults.ts";
import { describeReading } from "./conversation/reading.ts";
import { describeStopping } from "./conversation/stopping.ts";
import { describeTurns } from "./conversation/turns.ts";

let folder: DataFolder;
let models: ScriptedOpenAI;
let server: ServerProcess;
let quiet: EventStream;

beforeAll(async () => {
  [folder, models] = await Promise.all([DataFolder.create("talk"), startScriptedOpenAI()]);
  server = await folder.start({ env: modelEnvironment(models) });
  quiet = await (await newThread()).follow();
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
  await models.close();
});
afterEach(() => {
  expect(models.left).toBe(0);
});

const newThread: Bench["newThread"] = (thread) => ThreadUser.create(server.url, thread);
const bench = (): Bench => ({ models, newThread });

describeLoop(bench);
describeStopping(bench);
describeModelFaults(bench);
describeTurns(bench);
describeReading(bench);

it("sends heartbeats to a reader of a quiet thread", async () => {
  await expectSoon(quiet.untilComment(), "the reader of a quiet thread gets a heartbeat");
  quiet.close();
});

it("the server has met no defect of its own in all this", () => {
  expect(server.output.filter((line) => /defect|unexpected failure|Error:/.test(line))).toEqual([]);
});
