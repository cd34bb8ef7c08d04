import { afterAll, afterEach, beforeAll } from "vitest";
import { missingChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import { Stage } from "../support/ui/stage.ts";
import { testCards } from "./answers/cards.ts";
import { testCharts } from "./answers/charts.ts";
import { testHostileCharts } from "./answers/hostile-charts.ts";
import { testOddTables } from "./answers/odd-tables.ts";
import { testPlaces } from "./answers/places.ts";
import { testPictures } from "./answers/pictures.ts";
import { testTables } from "./answers/tables.ts";

describeIf({ suite: "what answers show", missing: missingChromium, isRequired: true }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.set();
  });
  afterEach(() => stage.clear());
  afterAll(() => stage[Symbol.asyncDispose]());

  const current = () => stage;
  testCards(current);
  testPlaces(current);
  testPictures(current);
  testTables(current);
  testOddTables(current);
  testCharts(current);
  testHostileCharts(current);
});
