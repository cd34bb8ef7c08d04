import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { answer as say } from "../../support/scripted-openai/index.ts";
import type { AppPage } from "../../support/ui/app-page.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { callTool, runPython } from "../../support/ui/tool-replies.ts";
import { findLatin } from "./latin.ts";
import { openSettings } from "./settings.harness.ts";

export function describeWords(ui: () => UiHarness): void {
  describe("the page in Chinese", () => {
    it("has no English on the first screen and in an analyst's answer", async () => {
      const app = await ui().open({ language: "zh" });
      await app.page.locator(".starter").first().waitFor();
      expect(await findLatin(app.page)).toEqual([]);
      await app.answerTo(() => app.page.locator(".starter").first().click());
      await app.page.locator(".answer-foot").waitFor();
      await app.page.locator(".call-toggle").first().click();
      expect(await findLatin(app.page)).toEqual([]);
      expect(app.problems).toEqual([]);
    });

    it("has no English in any panel", async () => {
      const app = await ui().open({ language: "zh", width: 1440 });
      await app.ask("How many rows are there?");
      await app.page.getByRole("button", { name: "显示文件与沙箱" }).click();
      const tabs = app.page.getByRole("tab");
      await tabs.first().waitFor();
      const names = await tabs.allInnerTexts();
      expect(names).toHaveLength(7);
      for (const [index, name] of names.entries()) {
        await tabs.nth(index).click();
        await app.page.getByRole("tabpanel").locator("*").first().waitFor();
        expect(await findLatin(app.page), name).toEqual([]);
      }
      expect(app.problems).toEqual([]);
    });

    it("has no English in any menu or dialog", async () => {
      const app = await ui().open({ language: "zh" });
      await app.ask("How many rows are there?");
      const more = app.page.getByRole("button", { name: "更多", exact: true });
      await more.click();
      await app.page.getByRole("menu").waitFor();
      expect(await findLatin(app.page), "menu").toEqual([]);
      await app.page.keyboard.press("Escape");
      for (const entry of ["重命名", "分享链接", "与其他对话比较…"]) {
        await more.click();
        await app.page.getByRole("menuitem", { name: entry }).click();
        await app.page.getByRole("dialog").waitFor();
        expect(await findLatin(app.page), entry).toEqual([]);
        await leaveDialog(app.page);
      }
      await app.page.getByRole("button", { name: /键盘操作/ }).click();
      await app.page.getByRole("dialog").waitFor();
      expect(await findLatin(app.page), "help").toEqual([]);
      await leaveDialog(app.page);
      const settings = await openSettings(app.page);
      const provider = settings.getByLabel("提供方");
      for (const source of ["built-in", "openai", "openai-compatible"]) {
        await provider.selectOption(source);
        expect(await findLatin(app.page), source).toEqual([]);
      }
      await settings.getByRole("button", { name: "添加规则" }).click();
      await settings.getByRole("radio", { name: "仅限以下主机" }).check();
      expect(await findLatin(app.page), "rules").toEqual([]);
      expect(app.problems).toEqual([]);
    });

    it("has no English around a model's tools, errors and approvals", async () => {
      const { models } = ui();
      const app = await ui().open({ language: "zh", model: "scripted" });
      models.script(
        runPython("print('x')\nraise ValueError('y')"),
        callTool("file_write", { file: "a.txt", content: "hi" }),
        callTool("todo_write", { todos: [{ content: "z", status: "in_progress" }] }),
        say("好"),
      );
      const answer = await app.ask("做点什么");
      expect(await answer.locator(".call").count()).toBe(3);
      expect(await findLatin(app.page)).toEqual([]);
      await ui().request("PATCH", `/thread/${app.threadId}`, { approvals: "on" });
      models.script(runPython("1"));
      const asked = await app.send("再来");
      await asked.getByRole("group", { name: /允许运行吗/ }).waitFor();
      expect(await findLatin(app.page), "approval").toEqual([]);
      await endAnswer(app);
      expect(app.problems).toEqual([]);
    });
  });
}

async function leaveDialog(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

async function endAnswer(app: AppPage): Promise<void> {
  await app.page.getByRole("button", { name: "停止" }).click();
  await app.page.locator(".answer-foot").nth(1).waitFor();
}
