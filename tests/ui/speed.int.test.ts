import { afterAll, beforeAll, expect, it } from "vitest";
import { missingChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import { UiHarness } from "../support/ui/ui-harness.ts";
import { loadFirst, loadNothing, sumKb } from "./speed/first-load.ts";
import {
  makeLongThread,
  openThread,
  scrollToStart,
  type Smoothness,
  typeWords,
  watchStream,
} from "./speed/long-thread.ts";
import { writeTokens } from "./speed/pace.ts";

/** Prints times without judging them: the machine is shared. What is asserted does not depend on time. */
describeIf({ suite: "the page's speed", missing: missingChromium, isRequired: true }, () => {
  let ui: UiHarness;
  let longThread: string;
  beforeAll(async () => {
    ui = await UiHarness.start();
    longThread = await makeLongThread(ui, 10_000);
  });
  afterAll(() => ui[Symbol.asyncDispose]());

  it("loads at most 260 kB of compressed scripts and styles at first, without the heavy parts", async () => {
    const { parts, interactiveMs } = await loadFirst(ui.browser, ui.server.url);
    const floorMs = await loadNothing(ui.browser, ui.server.url);
    console.log(
      `first load: ${sumKb(parts, ".js").toFixed(1)} kB of scripts, ${sumKb(parts, ".css").toFixed(1)} kB of styles; ` +
        `interactive after ${interactiveMs.toFixed(0)} ms (an empty page: ${floorMs.toFixed(0)} ms)`,
    );
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.filter(({ bytes, encoding }) => bytes === 0 || encoding !== "gzip")).toEqual([]);
    expect(sumKb(parts)).toBeLessThanOrEqual(260);
    const heavy =
      /plotly|echarts|embed|vega|editor|terminal|browser-panel|settings|side-panel|formatted|core|engine/;
    expect(parts.map(({ path }) => path).filter((path) => heavy.test(path))).toEqual([]);
  });

  it("takes input before the data is loaded, without moving when the starters appear", async () => {
    const page = await (await ui.browser.newContext()).newPage();
    const isKnown = Promise.withResolvers<void>();
    await page.route("**/thread/*/data?*", async (route) => {
      await isKnown.promise;
      await route.continue();
    });
    await page.route("**/thread/*/data", (route) => isKnown.promise.then(() => route.continue()));
    await page.goto(`${ui.server.url}/ui`);
    const message = page.getByRole("textbox", { name: "Message" });
    await message.pressSequentially("What");
    await page.locator(".starter-skeleton").first().waitFor();
    const title = page.getByRole("heading", { name: "What would you like to know?" });
    const before = await title.boundingBox();
    isKnown.resolve();
    await page.locator(".starter").first().waitFor();
    expect(await message.inputValue()).toBe("What");
    expect(Math.abs(((await title.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(12);
    await page.context().close();
  });

  it("renders few rows of a thread of 10,000 events while scrolling through it", async () => {
    const { next_after: events } = await lastPage(longThread);
    expect(events).toBeGreaterThanOrEqual(10_000);
    const { app, openMs } = await openThread(ui, longThread);
    const keys = await typeWords(app, "a question in a long thread");
    expect(await app.message.inputValue()).toBe("a question in a long thread");
    const { mostRows, ...scrolled } = await scrollToStart(app);
    console.log(
      `${events} events: open after ${openMs.toFixed(0)} ms; a key is seen after ${middle(keys).toFixed(0)} ms; scrolling: ${describe(scrolled)}`,
    );
    await app.page.getByRole("log").getByText("Question 1", { exact: true }).waitFor();
    expect(mostRows).toBeGreaterThan(2);
    expect(mostRows).toBeLessThan(40);
    expect(app.problems).toEqual([]);
  });

  it("shows everything that streams into a long thread at 200 tokens a second", async () => {
    const { app } = await openThread(ui, longThread);
    const seen = await watchStream(ui, app, { tokens: 2000, perSecond: 200 });
    console.log(`200 tokens a second: ${describe(seen)}`);
    const answer = app.page.locator(".answer").last();
    const wanted = writeTokens(2000).join("");
    expect(await answer.locator("h2").count()).toBe(wanted.match(/^## /gm)?.length);
    expect(await answer.locator("table").count()).toBe(wanted.match(/^\|---/gm)?.length);
    await answer.locator(".code-keyword").last().waitFor();
    expect(app.problems).toEqual([]);
  });

  async function lastPage(threadId: string): Promise<{ next_after: number }> {
    let page = { next_after: 0, has_more: true };
    while (page.has_more) {
      const path = `/thread/${threadId}/events?follow=false&after=${page.next_after}&limit=5000`;
      page = (await ui.request("GET", path)) as typeof page;
    }
    return page;
  }
});

function describe({ frames, longTasks }: Smoothness): string {
  const sorted = frames.toSorted((one, other) => one - other);
  const late = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  const sum = longTasks.reduce((total, each) => total + each, 0);
  return (
    `a frame every ${middle(frames).toFixed(0)} ms (95 % within ${late.toFixed(0)}), ` +
    `${longTasks.length} long tasks of ${sum.toFixed(0)} ms together, the longest ${Math.max(0, ...longTasks).toFixed(0)} ms`
  );
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
