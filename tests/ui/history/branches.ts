import { describe, expect, it } from "vitest";
import { answer as say } from "../../support/scripted-openai/index.ts";
import type { AppPage } from "../../support/ui/app-page.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { ThreadState } from "../../support/ui/thread-state.ts";
import { runPython } from "../../support/ui/tool-replies.ts";

export function describeBranches(ui: () => UiHarness): void {
  describe("a branch", () => {
    it("gives a branch the files and variables of its moment, and leaves the original alone", async () => {
      const { models } = ui();
      const app = await ui().open({ model: "scripted" });
      models.script(runPython("level = 1; open('note.txt', 'w').write('first')"), say("One."));
      await app.ask("Begin");
      models.script(runPython("level = 2; open('note.txt', 'w').write('second')"), say("Two."));
      await app.ask("Go on");
      const original = app.threadId;

      models.script(runPython("print(level, open('note.txt').read())"), say("Now it is otherwise."));
      await editInBranch(app, "Go on", "Go on otherwise");
      const output = app.page.getByText("1 first", { exact: true });
      await output.waitFor();
      await app.page.getByText("Now it is otherwise.").waitFor();
      expect(app.threadId).not.toBe(original);
      expect(await app.page.locator(".bubble").allInnerTexts()).toEqual(["Begin", "Go on otherwise"]);
      expect(await new ThreadState(ui(), app.threadId).variable("level")).toBe("1");

      const state = new ThreadState(ui(), original);
      expect(await state.variable("level")).toBe("2");
      await state.run("print('there:', level, open('note.txt').read())");
      await app.page.goBack();
      await app.page.getByText("there: 2 second").waitFor();
      expect(await app.page.locator(".bubble:not(.is-code)").allInnerTexts()).toEqual(["Begin", "Go on"]);
      expect(app.problems).toEqual([]);
    });

    it("answers again in a branch with the state before the question", async () => {
      const app = await ui().open();
      await app.ask("How many columns are there?");
      const original = new ThreadState(ui(), app.threadId);
      await original.run("marker = 'before'");
      const answer = await app.ask("How many rows are there?");
      await original.run("marker = 'after'");
      const again = await app.answerTo(() =>
        answer.getByRole("button", { name: "Answer again in a branch" }).click(),
      );
      await again.locator(".answer-foot").waitFor();
      expect(await again.innerText()).toContain("6,218");
      expect(await new ThreadState(ui(), app.threadId).variable("marker")).toBe("'before'");
      expect(await original.variable("marker")).toBe("'after'");
      expect(app.problems).toEqual([]);
    });

    it("lists a branch below its thread", async () => {
      const app = await ui().open();
      await app.ask("Show me monthly trends");
      const from = app.threadId;
      await editInBranch(app, "Show me monthly trends", "How many rows are there?");
      await app.page.locator(".answer-foot").waitFor();
      const branch = app.page.locator(`a[href="#/thread/${app.threadId}"]`);
      await branch.getByRole("img", { name: "A branch" }).waitFor();
      const entries = app.page.getByRole("navigation").getByRole("link");
      const addresses = await entries.evaluateAll((links) => links.map((link) => link.getAttribute("href")));
      expect(addresses.indexOf(`#/thread/${app.threadId}`)).toBe(addresses.indexOf(`#/thread/${from}`) + 1);
      expect(app.problems).toEqual([]);
    });

    it("compares a branch with its thread", async () => {
      const { models } = ui();
      const app = await ui().open({ model: "scripted" });
      models.script(
        say("Both say this."),
        say("The sky is **blue** today."),
        say("The sky is **grey** today."),
      );
      await app.ask("First");
      await app.ask("Second");
      await editInBranch(app, "Second", "Second");
      await app.page.locator(".answer").getByText("grey").waitFor();
      await app.page.locator(".answer-foot").nth(1).waitFor();
      await app.page.getByRole("button", { name: "More", exact: true }).click();
      await app.page.getByRole("menuitem", { name: "Compare with…" }).click();
      const dialog = app.page.getByRole("dialog", { name: "Compare two threads" });
      await dialog.getByRole("button", { name: "1 turn is the same" }).click();
      await dialog.getByText("Both say this.").waitFor();
      expect(await dialog.locator("mark").allInnerTexts()).toEqual(["grey", "blue"]);
      // A thread equals itself.
      const [left, right] = [dialog.getByLabel("First thread"), dialog.getByLabel("Second thread")];
      await right.selectOption(await left.inputValue());
      await dialog.getByText("Both threads are the same.").waitFor();
      await app.page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      expect(app.problems).toEqual([]);
    });
  });
}

async function editInBranch({ page }: AppPage, question: string, changed: string): Promise<void> {
  const asked = page.getByRole("article", { name: "You" }).filter({ hasText: question }).last();
  await asked.getByRole("button", { name: "Edit in a branch" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit in a branch" });
  const field = dialog.getByRole("textbox");
  expect(await field.inputValue()).toBe(question);
  await field.fill(changed);
  await dialog.getByRole("button", { name: "Send" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("article", { name: "You" }).filter({ hasText: changed }).last().waitFor();
}
