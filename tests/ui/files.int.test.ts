import { afterAll, beforeAll } from "vitest";
import { missingChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import { DeskThread } from "../support/ui/desk-thread.ts";
import { Stage } from "../support/ui/stage.ts";
import { testChanges } from "./files/changes.ts";
import { testEditing } from "./files/editing.ts";
import { testGallery } from "./files/gallery.ts";
import { testPreviews } from "./files/previews.ts";
import { makeFiles } from "./files/sample-files.ts";
import { testTables } from "./files/tables.ts";
import { testTree } from "./files/tree.ts";

describeIf({ suite: "files at the page", missing: missingChromium, isRequired: true }, () => {
  let stage: Stage;
  let samples: DeskThread;
  beforeAll(async () => {
    stage = await Stage.set();
    samples = await DeskThread.start(stage);
    await samples.run(makeFiles);
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  let shared: Awaited<ReturnType<DeskThread["open"]>> | undefined;
  const openSamples = async () => {
    shared ??= await samples.open("Files", { height: 1500 });
    const back = shared.panel.getByRole("button", { name: "Back to the files" });
    if (await back.isVisible()) await back.click();
    shared.desk.problems.length = 0;
    return shared;
  };
  const given = { stage: () => stage, samples: () => samples, openSamples };
  testTree(given);
  testPreviews(given);
  testTables(given);
  testEditing(given);
  testChanges(given);
  testGallery(given);
});
