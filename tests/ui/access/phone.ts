import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { panelTabs } from "../../support/ui/test-thread.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";

export function describePhone(ui: () => UiHarness): void {
  describe("on a phone", () => {
    it("fits questions and answers on a phone, with targets for fingers", async () => {
      const page = await openPhone(ui(), "zh-CN");
      await page.locator(".starter").first().waitFor();
      await check(page, "first screen");
      await ask(page);
      await check(page, "answer");
      await page.context().close();
    });

    it("covers the conversation with the list until a choice or Esc", async () => {
      const page = await openPhone(ui(), "en-US");
      await ask(page);
      const search = page.getByRole("searchbox", { name: "Search threads" });
      const showList = page.getByRole("button", { name: "Show threads" });
      await showList.tap();
      await check(page, "list");
      // Neither Tab nor a screen reader reaches what is behind it.
      await page.locator("main[inert]").waitFor();
      await page.getByRole("navigation").getByRole("link").first().tap();
      await search.waitFor({ state: "detached" });
      await showList.tap();
      await search.focus();
      await page.keyboard.press("Escape");
      await search.waitFor({ state: "detached" });
      await page.locator("main:not([inert])").waitFor();
      await page.context().close();
    });

    it("fits every panel on a phone, with a way back", async () => {
      const page = await openPhone(ui(), "en-US");
      await ask(page);
      await page.getByRole("button", { name: "Show files and sandbox" }).tap();
      for (const tab of await panelTabs(page)) {
        await tab.tap();
        await page.getByRole("tabpanel").locator("*").first().waitFor();
        await check(page, (await tab.getAttribute("id")) ?? "");
      }
      const app = page.getByRole("complementary", { name: "Sandbox" });
      await app.getByRole("button", { name: "Hide files and sandbox" }).tap();
      await page.locator("main:not([inert])").waitFor();
      await page.context().close();
    });

    it("fits settings, menus and the comparison on a phone", async () => {
      const page = await openPhone(ui(), "zh-CN");
      await ask(page);
      await page.getByRole("button", { name: "设置" }).tap();
      await page.getByRole("dialog").getByRole("group").nth(1).waitFor();
      await check(page, "settings");
      await page.getByRole("button", { name: "关闭" }).tap();
      await page.getByRole("button", { name: "更多", exact: true }).tap();
      await check(page, "menu");
      await page.getByRole("menuitem", { name: "与其他对话比较…" }).tap();
      await page.getByRole("dialog").waitFor();
      await check(page, "compare");
      await page.context().close();
    });

    it("loses nothing at 200 % zoom", async () => {
      // 1280 pixels at 200 % are 640.
      const app = await ui().open({ width: 640, height: 430 });
      await app.ask("Show me monthly trends");
      await check(app.page, "answer");
      for (const name of ["More", "Settings", "Show files and sandbox", "Send"])
        expect(await app.page.getByRole("button", { name, exact: true }).isVisible(), name).toBe(true);
      await app.page.getByRole("button", { name: "Settings" }).click();
      const last = app.page.getByRole("dialog").getByRole("radio", { name: "System" });
      await last.scrollIntoViewIfNeeded();
      expect(await last.isVisible()).toBe(true);
    });
  });
}

async function openPhone(ui: UiHarness, locale: string): Promise<Page> {
  const viewport = { width: 390, height: 844 };
  const context = await ui.browser.newContext({ viewport, hasTouch: true, isMobile: true, locale });
  const page = await context.newPage();
  await page.goto(`${ui.server.url}/ui`);
  return page;
}

async function ask(page: Page): Promise<void> {
  await page.locator(".starter").nth(1).tap();
  await page.locator(".answer-foot").waitFor();
}

/** Nothing is wider than the window, and no target is too small for a finger. */
async function check(page: Page, state: string): Promise<void> {
  expect(await page.evaluate(FIND_WIDE), state).toEqual([]);
  expect(await page.evaluate(FIND_SMALL), state).toEqual([]);
}

const FIND_WIDE = `(() => {
  if (document.documentElement.scrollWidth <= innerWidth) return [];
  return [...document.querySelectorAll("body *")]
    .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
    .map((each) => each.outerHTML.slice(0, 120))
    .slice(0, 5);
})()`;

/** WCAG 2.5.8: 24 by 24; links within a sentence are exempt. */
const FIND_SMALL = `[...document.querySelectorAll("button, a, input, select, textarea, [role=tab]")]
  .filter((each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !each.closest(".prose, .visually-hidden, .xterm"))
  .map((each) => [each.closest("label") ?? each, each])
  .filter(([box, each]) => each.type !== "file")
  .map(([box, each]) => [box.getBoundingClientRect(), each])
  .filter(([{ width, height }]) => width > 0 && Math.min(width, height) < 24)
  .map(([{ width, height }, each]) => Math.round(width) + "x" + Math.round(height) + " " + each.outerHTML.slice(0, 120))`;
