import { describe, expect, it } from "vitest";
import { answer as say } from "../../support/scripted-openai/index.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";

export function describeTitles(ui: () => UiHarness): void {
  describe("a title", () => {
    it("takes the title from the first question and shows it in the page, the list and the tab", async () => {
      const app = await ui().open();
      const heading = app.page.getByRole("heading", { level: 1 });
      expect(await heading.innerText()).toBe("New thread");
      await app.ask("How many rows are there?");
      await heading.getByText("How many rows are there").waitFor();
      const list = app.page.getByRole("navigation", { name: "Threads" });
      await list.getByRole("link", { name: "How many rows are there" }).waitFor();
      await expect.poll(() => app.page.title()).toBe("How many rows are there · Atoll");
      expect(app.problems).toEqual([]);
    });

    it("titles a model's thread too, also in Chinese", async () => {
      ui().models.script(say("好的。"));
      const app = await ui().open({ model: "scripted", language: "zh" });
      await app.ask("哪个类别的支出最多？");
      await app.page.getByRole("heading", { level: 1, name: /哪个类别的支出最多/ }).waitFor();
      expect(app.problems).toEqual([]);
    });

    it("renames a thread everywhere at once, in another tab too, for good", async () => {
      const app = await ui().open();
      await app.ask("How many columns are there?");
      const other = await app.openAnother(`/ui#/thread/${app.threadId}`);
      await other.getByRole("heading", { level: 1, name: "How many columns" }).waitFor();
      await app.page.getByRole("button", { name: "More", exact: true }).click();
      await app.page.getByRole("menuitem", { name: "Rename" }).click();
      const field = app.page.getByRole("textbox", { name: "New title" });
      expect(await field.inputValue()).toContain("How many columns");
      await field.fill("Columns of spring");
      await field.press("Enter");
      for (const page of [app.page, other]) {
        await page.getByRole("heading", { level: 1, name: "Columns of spring" }).waitFor();
        await page.getByRole("link", { name: "Columns of spring" }).waitFor();
      }
      await app.page.reload();
      await app.page.getByRole("heading", { level: 1, name: "Columns of spring" }).waitFor();
      // A later question does not replace a title that the user wrote.
      await app.ask("How many rows are there?");
      await app.page.getByRole("heading", { level: 1, name: "Columns of spring" }).waitFor();
      expect(app.problems).toEqual([]);
    });
  });
}
