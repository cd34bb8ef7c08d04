import { afterAll, beforeAll } from "vitest";
import { missingChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import { Stage } from "../support/ui/stage.ts";
import { describeAxe } from "./access/axe-states.ts";
import { describeHearing } from "./access/hearing.ts";
import { describeKeyboard } from "./access/keyboard.ts";
import { describePhone } from "./access/phone.ts";

describeIf({ suite: "the page for everybody", missing: missingChromium, isRequired: true }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.set();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  describeAxe(() => stage);
  describeKeyboard(() => stage);
  describeHearing(() => stage);
  describePhone(() => stage);
});
