import { describe, expect, it } from "vitest";
import { answer as say } from "../../support/scripted-openai/index.ts";
import type { Stage } from "../../support/ui/stage.ts";

export function describeTitles(stage: () => Stage): void {
  describe("a title", () => {
    it("is made from the first question, and stands above the thread, in the list and in the tab", async () => {
      const desk = await stage().open();
      const heading = desk.page.getByRole("heading", { level: 1 });
      expect(await heading.innerText()).toBe("New thread");
      await desk.ask("How many rows are there?");
      await heading.getByText("How many rows are there").waitFor();
      const list = desk.page.getByRole("navigation", { name: "Threads" });
      await list.getByRole("link", { name: "How many rows are there" }).waitFor();
      await expect.poll(() => desk.page.title()).toBe("How many rows are there · Atoll");
      expect(desk.problems).toEqual([]);
    });

    it("is made for a model's thread too, also in Chinese", async () => {
      stage().models.script(say("好的。"));
      const desk = await stage().open({ model: "scripted", language: "zh" });
      await desk.ask("哪个类别的支出最多？");
      await desk.page.getByRole("heading", { level: 1, name: /哪个类别的支出最多/ }).waitFor();
      expect(desk.problems).toEqual([]);
    });

    it("can be changed: everywhere at once, in another tab too, and it stays", async () => {
      const desk = await stage().open();
      await desk.ask("How many columns are there?");
      const other = await desk.openAnother(`/ui#/thread/${desk.threadId}`);
      await other.getByRole("heading", { level: 1, name: "How many columns" }).waitFor();
      await desk.page.getByRole("button", { name: "More", exact: true }).click();
      await desk.page.getByRole("menuitem", { name: "Rename" }).click();
      const field = desk.page.getByRole("textbox", { name: "New title" });
      expect(await field.inputValue()).toContain("How many columns");
      await field.fill("Columns of spring");
      await field.press("Enter");
      for (const page of [desk.page, other]) {
        await page.getByRole("heading", { level: 1, name: "Columns of spring" }).waitFor();
        await page.getByRole("link", { name: "Columns of spring" }).waitFor();
      }
      await desk.page.reload();
      await desk.page.getByRole("heading", { level: 1, name: "Columns of spring" }).waitFor();
      // A later question does not take the place of what a person has written.
      await desk.ask("How many rows are there?");
      await desk.page.getByRole("heading", { level: 1, name: "Columns of spring" }).waitFor();
      expect(desk.problems).toEqual([]);
    });
  });
}
