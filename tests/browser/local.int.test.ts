import { missingChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import { describeBrowser } from "./suite.harness.ts";

describeIf({ suite: "the browser on local", missing: missingChromium, isRequired: true }, () =>
  describeBrowser("local"),
);
