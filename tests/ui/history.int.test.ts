import { afterAll, beforeAll } from "vitest";
import { missingChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import { UiHarness } from "../support/ui/ui-harness.ts";
import { describeBranches } from "./history/branches.ts";
import { describeExports } from "./history/exports.ts";
import { describeRemoval } from "./history/removal.ts";
import { describeSearch } from "./history/search.ts";
import { describeSharing } from "./history/sharing.ts";
import { describeTitles } from "./history/titles.ts";

describeIf({ suite: "the history of threads", missing: missingChromium, isRequired: true }, () => {
  let ui: UiHarness;
  beforeAll(async () => {
    ui = await UiHarness.start();
  });
  afterAll(() => ui[Symbol.asyncDispose]());

  describeTitles(() => ui);
  describeSearch(() => ui);
  describeRemoval(() => ui);
  describeBranches(() => ui);
  describeExports(() => ui);
  describeSharing(() => ui);
});
