import { afterAll, beforeAll } from "vitest";
import { missingChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import { Stage } from "../support/ui/stage.ts";
import { describeBranches } from "./history/branches.ts";
import { describeExports } from "./history/exports.ts";
import { describeRemoval } from "./history/removal.ts";
import { describeSearch } from "./history/search.ts";
import { describeSharing } from "./history/sharing.ts";
import { describeTitles } from "./history/titles.ts";

describeIf({ suite: "the history of threads", missing: missingChromium, isRequired: true }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.set();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  describeTitles(() => stage);
  describeSearch(() => stage);
  describeRemoval(() => stage);
  describeBranches(() => stage);
  describeExports(() => stage);
  describeSharing(() => stage);
});
