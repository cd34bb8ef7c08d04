import { afterAll, beforeAll } from "vitest";
import { missingChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import { UiHarness } from "../support/ui/ui-harness.ts";
import { describeFrames } from "./safety/frames.ts";
import { describeMarkdown } from "./safety/markdown.ts";
import { describeNames } from "./safety/names.ts";
import { describePolicy } from "./safety/policy.ts";
import { describeSvg } from "./safety/svg.ts";

describeIf(
  { suite: "hostile content of a sandbox or a model", missing: missingChromium, isRequired: true },
  () => {
    let ui: UiHarness;
    beforeAll(async () => {
      ui = await UiHarness.start();
    });
    afterAll(() => ui[Symbol.asyncDispose]());

    describePolicy(() => ui);
    describeMarkdown(() => ui);
    describeSvg(() => ui);
    describeFrames(() => ui);
    describeNames(() => ui);
  },
);
