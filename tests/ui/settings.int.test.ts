import { afterAll, beforeAll } from "vitest";
import { missingChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import { Stage } from "../support/ui/stage.ts";
import { describeLimits } from "./settings/limits.ts";
import { describeLook } from "./settings/look.ts";
import { describeModels } from "./settings/models.ts";
import { describeThreadRules } from "./settings/thread-rules.ts";
import { describeWords } from "./settings/words.ts";

describeIf({ suite: "the settings", missing: missingChromium, isRequired: true }, () => {
  let stage: Stage;
  beforeAll(async () => {
    // Of this server's approvals only one test asks, and it waits for the time to be over.
    stage = await Stage.set({ ATOLL_APPROVAL_TIMEOUT_S: "3", ATOLL_MAX_MEMORY_MB: "2048" });
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  describeLook(() => stage);
  describeWords(() => stage);
  describeThreadRules(() => stage);
  describeLimits(() => stage);
  describeModels(() => stage);
});
