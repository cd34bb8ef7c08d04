import { afterAll, beforeAll } from "vitest";
import { missingChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import { Stage } from "../support/ui/stage.ts";
import { describeFrames } from "./safety/frames.ts";
import { describeMarkdown } from "./safety/markdown.ts";
import { describeNames } from "./safety/names.ts";
import { describePolicy } from "./safety/policy.ts";
import { describeSvg } from "./safety/svg.ts";

describeIf(
  { suite: "what a hostile sandbox or model shows", missing: missingChromium, isRequired: true },
  () => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await Stage.set();
    });
    afterAll(() => stage[Symbol.asyncDispose]());

    describePolicy(() => stage);
    describeMarkdown(() => stage);
    describeSvg(() => stage);
    describeFrames(() => stage);
    describeNames(() => stage);
  },
);
