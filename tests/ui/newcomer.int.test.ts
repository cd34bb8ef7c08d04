import { afterAll, beforeAll, expect, it } from "vitest";
import { missingChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import { UiHarness } from "../support/ui/ui-harness.ts";
import { chinese, english, englishWithModel } from "./newcomer/newcomers.ts";
import { walkTheFirstMinutes } from "./newcomer/path.ts";

describeIf({ suite: "the first minutes of a new user", missing: missingChromium, isRequired: true }, () => {
  let ui: UiHarness;
  beforeAll(async () => {
    ui = await UiHarness.start();
  });
  afterAll(() => ui[Symbol.asyncDispose]());

  it.each([
    { person: english, by: "the built-in analyst, in English" },
    { person: chinese, by: "the built-in analyst, in Chinese" },
    { person: englishWithModel, by: "a model" },
  ])(
    "asks, uploads, asks again, opens the table, and takes plot and notebook home: $by",
    async ({ person, by }) => {
      const { language, replies } = person;
      if (replies) ui.models.script(...replies);
      const app = await ui.open({ language, model: replies ? "scripted" : "built-in" });
      const startedAt = performance.now();
      const home = await walkTheFirstMinutes(app, person);
      console.log(`a newcomer's path, ${by}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);

      expect(home.plot.subarray(0, 8)).toEqual(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"));
      expect(home.plot.length).toBeGreaterThan(5000);
      expect(home.notebook).toMatchObject({ nbformat: 4, nbformat_minor: 5 });
      const { cells } = home.notebook;
      expect(new Set(cells.map(({ id }) => id)).size).toBe(cells.length);
      const code = cells.filter(({ cell_type: type }) => type === "code");
      expect(code.map(({ source }) => source.join("")).join("\n")).toContain(person.csv.name);
      const outputs = code.flatMap((cell) => cell.outputs ?? []);
      expect(outputs.filter(({ data }) => data?.["image/png"])).toHaveLength(2);
      expect(JSON.stringify(outputs)).toContain(person.csv.expected);
      expect(app.problems).toEqual([]);
    },
  );
});
