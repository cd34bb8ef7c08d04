import { afterAll, afterEach, beforeAll } from "vitest";
import { missingChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import { UiHarness } from "../support/ui/ui-harness.ts";
import { testFollowing } from "./compose/following.ts";
import { testKeys } from "./compose/keys.ts";
import { testQueue } from "./compose/queue.ts";
import { testReload } from "./compose/reload.ts";
import { testUploads } from "./compose/uploads.ts";
import { testWelcome } from "./compose/welcome.ts";

describeIf({ suite: "the composer and the transcript", missing: missingChromium, isRequired: true }, () => {
  let ui: UiHarness;
  beforeAll(async () => {
    ui = await UiHarness.start({ MAX_UPLOAD_MB: "1" });
  });
  afterEach(() => ui.clear());
  afterAll(() => ui[Symbol.asyncDispose]());

  const current = () => ui;
  testWelcome(current);
  testUploads(current);
  testKeys(current);
  testQueue(current);
  testFollowing(current);
  testReload(current);
});
