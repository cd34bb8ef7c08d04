import { afterAll, beforeAll } from "vitest";
import { DataFolder } from "../support/data-folder.ts";
import { type ScriptedOpenAI, startScriptedOpenAI } from "../support/scripted-openai/index.ts";
import { modelEnvironment } from "./conversation/bench.ts";
import type { Bench } from "./killed/bench.ts";
import { describeMidAnswer } from "./killed/mid-answer.ts";
import { describeUnderLoad } from "./killed/under-load.ts";
import { describeUploads } from "./killed/uploads.ts";

let folder: DataFolder;
let models: ScriptedOpenAI;

beforeAll(async () => {
  [folder, models] = await Promise.all([DataFolder.create("killed"), startScriptedOpenAI()]);
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
  await models.close();
});

const bench = (): Bench => ({
  folder,
  models,
  start: async () => {
    await folder.kill();
    return folder.start({ env: modelEnvironment(models) });
  },
});

describeMidAnswer(bench);
describeUploads(bench);
describeUnderLoad(bench);
