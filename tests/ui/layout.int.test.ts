import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { missingChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import { runInPage } from "../support/ui/run-in-page.ts";
import { UiHarness } from "../support/ui/ui-harness.ts";
import { breakage, moves } from "./layout/breakage.ts";
import { comparePlaces, compareWithRecord, readPlaces } from "./layout/record.ts";
import { type Scene, scenes } from "./layout/scenes.ts";
import { openWindow, showScene } from "./layout/showing.ts";
import { makeThreads, type Threads } from "./layout/threads.ts";

const looks = [1440, 1000, 390].flatMap((width) => [
  { language: "en" as const, width },
  { language: "zh" as const, width },
]);

describeIf({ suite: "the page's layout", missing: missingChromium, isRequired: true }, () => {
  let ui: UiHarness;
  let threads: Readonly<Record<"en" | "zh", Threads>>;
  beforeAll(async () => {
    ui = await UiHarness.start();
    threads = { en: await makeThreads(ui, "en"), zh: await makeThreads(ui, "zh") };
  });
  afterAll(() => ui[Symbol.asyncDispose]());

  it.each(looks)(
    "holds at $width px in $language, light and dark: nothing sticks out, overlaps, is cut or has moved",
    async ({ language, width }) => {
      const page = await openWindow(ui.browser, { language, width });
      const places: Record<string, Awaited<ReturnType<typeof readPlaces>>> = {};
      const faults: string[] = [];
      for (const scene of scenes) {
        await showScene(page, ui.server.url, scene, threads[language]);
        places[scene.name] = await readPlaces(page);
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          faults.push(...(await findFaults(page)).map((fault) => `${scene.name}, ${colorScheme}: ${fault}`));
        }
      }
      expect(faults).toEqual([]);
      expect(compareWithRecord(width, places)).toEqual([]);
      await page.context().close();
    },
    240_000,
  );

  it.each(breakage)("reports $name", async ({ scene, css, complaint }) => {
    const page = await show(scene);
    expect(await findFaults(page)).toEqual([]);
    await addStyle(page, css);
    expect(await findFaults(page)).toContainEqual(expect.stringMatching(complaint));
  });

  it.each(moves)("reports what has moved: $name", async ({ css, complaint }) => {
    const page = await show("welcome");
    const before = await readPlaces(page);
    await addStyle(page, css);
    expect(comparePlaces(before, await readPlaces(page))).toContainEqual(expect.stringMatching(complaint));
  });

  const shown = new Map<string, Page>();

  /** Opened once, and reset before each test. */
  async function show(name: string): Promise<Page> {
    const known = shown.get(name);
    if (known) await known.evaluate("document.adoptedStyleSheets = []");
    if (known) return known;
    const page = await openWindow(ui.browser, { language: "en", width: 1000 });
    await showScene(page, ui.server.url, scenes.find((each) => each.name === name) as Scene, threads.en);
    shown.set(name, page);
    return page;
  }
});

function findFaults(page: Page): Promise<string[]> {
  return runInPage(page, "faults", "findFaults");
}

/** The page's policy forbids external styles, but not those that a script adds. */
function addStyle(page: Page, css: string): Promise<unknown> {
  return page.evaluate(`(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(css)});
    document.adoptedStyleSheets.push(sheet);
  })()`);
}
