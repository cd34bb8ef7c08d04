import { afterAll, beforeAll } from "vitest";
import { missingChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import { UiHarness } from "../support/ui/ui-harness.ts";
import { describeLimits } from "./settings/limits.ts";
import { describeLook } from "./settings/look.ts";
import { describeModels } from "./settings/models.ts";
import { describeThreadRules } from "./settings/thread-rules.ts";
import { describeWords } from "./settings/words.ts";

describeIf({ suite: "the settings", missing: missingChromium, isRequired: true }, () => {
  let ui: UiHarness;
  beforeAll(async () => {
    // Only one test uses approvals here, and it waits for the time-out.
    ui = await UiHarness.start({ ATOLL_APPROVAL_TIMEOUT_S: "3", ATOLL_MAX_MEMORY_MB: "2048" });
  });
  afterAll(() => ui[Symbol.asyncDispose]());

  describeLook(() => ui);
  describeWords(() => ui);
  describeThreadRules(() => ui);
  describeLimits(() => ui);
  describeModels(() => ui);
});
