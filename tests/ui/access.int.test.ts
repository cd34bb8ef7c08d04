import { afterAll, beforeAll } from "vitest";
import { missingChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import { UiHarness } from "../support/ui/ui-harness.ts";
import { describeAxe } from "./access/axe-states.ts";
import { describeHearing } from "./access/hearing.ts";
import { describeKeyboard } from "./access/keyboard.ts";
import { describePhone } from "./access/phone.ts";

describeIf({ suite: "accessibility of the page", missing: missingChromium, isRequired: true }, () => {
  let ui: UiHarness;
  beforeAll(async () => {
    ui = await UiHarness.start();
  });
  afterAll(() => ui[Symbol.asyncDispose]());

  describeAxe(() => ui);
  describeKeyboard(() => ui);
  describeHearing(() => ui);
  describePhone(() => ui);
});
