import { afterAll, afterEach, beforeAll } from "vitest";
import { missingChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import { UiHarness } from "../support/ui/ui-harness.ts";
import { testCards } from "./answers/cards.ts";
import { testCharts } from "./answers/charts.ts";
import { testHostileCharts } from "./answers/hostile-charts.ts";
import { testOddTables } from "./answers/odd-tables.ts";
import { testPlaces } from "./answers/places.ts";
import { testPictures } from "./answers/pictures.ts";
import { testTables } from "./answers/tables.ts";

describeIf({ suite: "the content of answers", missing: missingChromium, isRequired: true }, () => {
  let ui: UiHarness;
  beforeAll(async () => {
    ui = await UiHarness.start();
  });
  afterEach(() => ui.clear());
  afterAll(() => ui[Symbol.asyncDispose]());

  const current = () => ui;
  testCards(current);
  testPlaces(current);
  testPictures(current);
  testTables(current);
  testOddTables(current);
  testCharts(current);
  testHostileCharts(current);
});
