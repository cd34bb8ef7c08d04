import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { answer as say } from "../../support/scripted-openai/index.ts";
import type { View } from "../../support/ui/app-page.ts";
import { panelTabs } from "../../support/ui/test-thread.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { runPython } from "../../support/ui/tool-replies.ts";
import { findBarriers } from "./axe.ts";

const views: readonly Required<Pick<View, "language" | "theme" | "width">>[] = [
  { language: "en", theme: "light", width: 1280 },
  { language: "zh", theme: "dark", width: 1280 },
  { language: "en", theme: "dark", width: 390 },
  { language: "zh", theme: "light", width: 390 },
];

export function describeAxe(ui: () => UiHarness): void {
  describe("axe has no serious finding", () => {
    it.each(views)(
      "in $language, $theme, $width wide: from the first screen to every panel",
      async (view) => {
        const app = await ui().open(view);
        const found: Record<string, string[]> = {};
        const look = async (state: string) => {
          const barriers = await findBarriers(app.page);
          if (barriers.length > 0) found[state] = barriers;
        };
        await app.page.locator(".starter").first().waitFor();
        await look("first screen");
        const answer = await app.ask("Show me monthly trends");
        await answer.locator("figure img").first().waitFor();
        await answer.locator(".call-toggle").first().click();
        await look("an answer");
        await app.page.locator(".topbar [aria-pressed]").last().click();
        for (const tab of await panelTabs(app.page)) {
          await tab.click();
          const panel = app.page.getByRole("tabpanel");
          await panel.locator("*").first().waitFor();
          const id = (await tab.getAttribute("id")) ?? "";
          if (id === "tab-files") await panel.getByRole("treeitem", { name: "transactions.csv" }).waitFor();
          await look(`panel ${id}`);
        }
        expect(found).toEqual({});
      },
    );

    it.each(views)(
      "finds no barrier in $language, $theme, $width wide: menus, dialogs, approvals",
      async (view) => {
        const { thread_id: id } = await ui().request("POST", "/thread/new", {
          model: "openai:scripted",
          approvals: "on",
        });
        const app = await ui().open({ ...view, path: `/ui#/thread/${String(id)}` });
        const found: Record<string, string[]> = {};
        const look = async (state: string) => {
          const barriers = await findBarriers(app.page);
          if (barriers.length > 0) found[state] = barriers;
        };
        ui().models.script(
          runPython("raise ValueError('x')"),
          say("| a | b |\n|---|---|\n| 1 | [c](https://x.org) |"),
        );
        const answer = await app.send("go");
        await answer.locator(".approval").waitFor();
        await look("approval");
        await answer.locator(".approval-choices .danger").click();
        await look("refusal");
        await answer.locator(".approval-deny .button").nth(1).click();
        await answer.locator(".approval-choices .primary").click();
        await answer.locator(".answer-foot").waitFor();
        await look("error");
        if (view.width < 760) {
          await app.page.locator(".topbar button").first().click();
          await look("list");
          await app.page.locator(".scrim").click({ position: { x: 380, y: 600 } });
        }
        const menu = app.page.locator(".topbar .menu-root > button");
        await menu.click();
        await look("menu");
        await app.page.keyboard.press("Escape");
        for (const entry of [0, 1, 2]) {
          await menu.click();
          await app.page.getByRole("menuitem").nth(entry).click();
          await app.page.getByRole("dialog").waitFor();
          await look(`dialog ${entry}`);
          await leave(app.page);
        }
        await app.page.getByRole("button", { name: /^(Settings|设置)$/ }).click();
        await app.page.getByRole("dialog").getByRole("group").nth(1).waitFor();
        await look("settings");
        await leave(app.page);
        expect(found).toEqual({});
      },
    );
  });
}

async function leave(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}
