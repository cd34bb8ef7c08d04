import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { answer as say } from "../../support/scripted-openai/index.ts";
import type { DeskPage } from "../../support/ui/desk-page.ts";
import type { Stage } from "../../support/ui/stage.ts";
import { callTool, runPython } from "../../support/ui/tool-replies.ts";
import { findLatin } from "./latin.ts";
import { openSettings } from "./open-settings.ts";

export function describeWords(stage: () => Stage): void {
  describe("in Chinese, no English is left", () => {
    it("on the first screen and in an answer of the built-in analyst", async () => {
      const desk = await stage().open({ language: "zh" });
      await desk.page.locator(".starter").first().waitFor();
      expect(await findLatin(desk.page)).toEqual([]);
      await desk.answerTo(() => desk.page.locator(".starter").first().click());
      await desk.page.locator(".answer-foot").waitFor();
      await desk.page.locator(".call-toggle").first().click();
      expect(await findLatin(desk.page)).toEqual([]);
      expect(desk.problems).toEqual([]);
    });

    it("in any panel of the desk", async () => {
      const desk = await stage().open({ language: "zh", width: 1440 });
      await desk.ask("How many rows are there?");
      await desk.page.getByRole("button", { name: "显示文件与沙箱" }).click();
      const tabs = desk.page.getByRole("tab");
      await tabs.first().waitFor();
      const names = await tabs.allInnerTexts();
      expect(names).toHaveLength(7);
      for (const [index, name] of names.entries()) {
        await tabs.nth(index).click();
        await desk.page.getByRole("tabpanel").locator("*").first().waitFor();
        expect(await findLatin(desk.page), name).toEqual([]);
      }
      expect(desk.problems).toEqual([]);
    });

    it("in any menu or dialog", async () => {
      const desk = await stage().open({ language: "zh" });
      await desk.ask("How many rows are there?");
      const more = desk.page.getByRole("button", { name: "更多", exact: true });
      await more.click();
      await desk.page.getByRole("menu").waitFor();
      expect(await findLatin(desk.page), "menu").toEqual([]);
      await desk.page.keyboard.press("Escape");
      for (const entry of ["重命名", "分享链接", "与其他对话比较…"]) {
        await more.click();
        await desk.page.getByRole("menuitem", { name: entry }).click();
        await desk.page.getByRole("dialog").waitFor();
        expect(await findLatin(desk.page), entry).toEqual([]);
        await leaveDialog(desk.page);
      }
      await desk.page.getByRole("button", { name: /键盘操作/ }).click();
      await desk.page.getByRole("dialog").waitFor();
      expect(await findLatin(desk.page), "help").toEqual([]);
      await leaveDialog(desk.page);
      const settings = await openSettings(desk.page);
      const provider = settings.getByLabel("提供方");
      for (const source of ["built-in", "openai", "openai-compatible"]) {
        await provider.selectOption(source);
        expect(await findLatin(desk.page), source).toEqual([]);
      }
      await settings.getByRole("button", { name: "添加规则" }).click();
      await settings.getByRole("radio", { name: "仅限以下主机" }).check();
      expect(await findLatin(desk.page), "rules").toEqual([]);
      expect(desk.problems).toEqual([]);
    });

    it("around a model's tools, errors and questions", async () => {
      const { models } = stage();
      const desk = await stage().open({ language: "zh", model: "scripted" });
      models.script(
        runPython("print('x')\nraise ValueError('y')"),
        callTool("file_write", { file: "a.txt", content: "hi" }),
        callTool("todo_write", { todos: [{ content: "z", status: "in_progress" }] }),
        say("好"),
      );
      const answer = await desk.ask("做点什么");
      expect(await answer.locator(".call").count()).toBe(3);
      expect(await findLatin(desk.page)).toEqual([]);
      await stage().request("PATCH", `/thread/${desk.threadId}`, { approvals: "on" });
      models.script(runPython("1"));
      const asked = await desk.send("再来");
      await asked.getByRole("group", { name: /允许运行吗/ }).waitFor();
      expect(await findLatin(desk.page), "approval").toEqual([]);
      await endAnswer(desk);
      expect(desk.problems).toEqual([]);
    });
  });
}

async function leaveDialog(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

async function endAnswer(desk: DeskPage): Promise<void> {
  await desk.page.getByRole("button", { name: "停止" }).click();
  await desk.page.locator(".answer-foot").nth(1).waitFor();
}
