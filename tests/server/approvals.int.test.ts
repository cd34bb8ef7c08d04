import { afterAll, beforeAll, describe } from "vitest";
import { DataFolder } from "../support/data-folder.ts";
import { type ScriptedOpenAI, startScriptedOpenAI } from "../support/scripted-openai/index.ts";
import type { Bench } from "./approvals/bench.ts";
import { describeDecisions } from "./approvals/decisions.ts";
import { describeProgram } from "./approvals/program.ts";
import { describeRestart } from "./approvals/restart.ts";
import { modelEnvironment } from "./conversation/bench.ts";

let folder: DataFolder;
let models: ScriptedOpenAI;

beforeAll(async () => {
  [folder, models] = await Promise.all([DataFolder.create("approvals"), startScriptedOpenAI()]);
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
  await models.close();
});

const bench = (): Bench => ({
  path: folder.path,
  models,
  start: async () => {
    await folder.stop();
    return folder.start({ env: modelEnvironment(models) });
  },
});

describeRestart(bench, "kill");
describeRestart(bench, "stop");

describe("a server that runs", () => {
  let url: string;
  beforeAll(async () => {
    ({ url } = await bench().start());
  });

  describeDecisions(bench, () => url);
  describeProgram(bench, () => url);
});
