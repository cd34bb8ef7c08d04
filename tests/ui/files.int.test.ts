import { afterAll, beforeAll } from "vitest";
import { missingChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import { TestThread } from "../support/ui/test-thread.ts";
import { UiHarness } from "../support/ui/ui-harness.ts";
import { testChanges } from "./files/changes.ts";
import { testEditing } from "./files/editing.ts";
import { testGallery } from "./files/gallery.ts";
import { testPreviews } from "./files/previews.ts";
import { makeFiles } from "./files/sample-files.ts";
import { testTables } from "./files/tables.ts";
import { testTree } from "./files/tree.ts";

describeIf({ suite: "the files panel", missing: missingChromium, isRequired: true }, () => {
  let ui: UiHarness;
  let samples: TestThread;
  beforeAll(async () => {
    ui = await UiHarness.start();
    samples = await TestThread.start(ui);
    await samples.run(makeFiles);
  });
  afterAll(() => ui[Symbol.asyncDispose]());

  let shared: Awaited<ReturnType<TestThread["open"]>> | undefined;
  const openSamples = async () => {
    shared ??= await samples.open("Files", { height: 1500 });
    const back = shared.panel.getByRole("button", { name: "Back to files" });
    if (await back.isVisible()) await back.click();
    shared.app.problems.length = 0;
    return shared;
  };
  const files = { ui: () => ui, samples: () => samples, openSamples };
  testTree(files);
  testPreviews(files);
  testTables(files);
  testEditing(files);
  testChanges(files);
  testGallery(files);
});
