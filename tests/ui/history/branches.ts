import { describe, expect, it } from "vitest";
import { answer as say } from "../../support/scripted-openai/index.ts";
import type { DeskPage } from "../../support/ui/desk-page.ts";
import type { Stage } from "../../support/ui/stage.ts";
import { ThreadState } from "../../support/ui/thread-state.ts";
import { runPython } from "../../support/ui/tool-replies.ts";

export function describeBranches(stage: () => Stage): void {
  describe("a branch", () => {
    it("of an edited message has the files and variables of that moment; the original keeps the later ones", async () => {
      const { models } = stage();
      const desk = await stage().open({ model: "scripted" });
      models.script(runPython("level = 1; open('note.txt', 'w').write('first')"), say("One."));
      await desk.ask("Begin");
      models.script(runPython("level = 2; open('note.txt', 'w').write('second')"), say("Two."));
      await desk.ask("Go on");
      const original = desk.threadId;

      models.script(runPython("print(level, open('note.txt').read())"), say("Now it is otherwise."));
      await editInBranch(desk, "Go on", "Go on otherwise");
      const output = desk.page.getByText("1 first", { exact: true });
      await output.waitFor();
      await desk.page.getByText("Now it is otherwise.").waitFor();
      expect(desk.threadId).not.toBe(original);
      expect(await desk.page.locator(".bubble").allInnerTexts()).toEqual(["Begin", "Go on otherwise"]);
      expect(await new ThreadState(stage(), desk.threadId).variable("level")).toBe("1");

      const state = new ThreadState(stage(), original);
      expect(await state.variable("level")).toBe("2");
      await state.run("print('there:', level, open('note.txt').read())");
      await desk.page.goBack();
      await desk.page.getByText("there: 2 second").waitFor();
      expect(await desk.page.locator(".bubble:not(.is-code)").allInnerTexts()).toEqual(["Begin", "Go on"]);
      expect(desk.problems).toEqual([]);
    });

    it("answers again with what was there before the question, also with the built-in analyst", async () => {
      const desk = await stage().open();
      await desk.ask("How many columns are there?");
      const original = new ThreadState(stage(), desk.threadId);
      await original.run("marker = 'before'");
      const answer = await desk.ask("How many rows are there?");
      await original.run("marker = 'after'");
      const again = await desk.answerTo(() =>
        answer.getByRole("button", { name: "Answer again, in a branch" }).click(),
      );
      await again.locator(".answer-foot").waitFor();
      expect(await again.innerText()).toContain("6,218");
      expect(await new ThreadState(stage(), desk.threadId).variable("marker")).toBe("'before'");
      expect(await original.variable("marker")).toBe("'after'");
      expect(desk.problems).toEqual([]);
    });

    it("stands below the thread that it comes from, and says so", async () => {
      const desk = await stage().open();
      await desk.ask("Show me monthly trends");
      const from = desk.threadId;
      await editInBranch(desk, "Show me monthly trends", "How many rows are there?");
      await desk.page.locator(".answer-foot").waitFor();
      const branch = desk.page.locator(`a[href="#/thread/${desk.threadId}"]`);
      await branch.getByRole("img", { name: "A branch" }).waitFor();
      const entries = desk.page.getByRole("navigation").getByRole("link");
      const addresses = await entries.evaluateAll((links) => links.map((link) => link.getAttribute("href")));
      expect(addresses.indexOf(`#/thread/${desk.threadId}`)).toBe(addresses.indexOf(`#/thread/${from}`) + 1);
      expect(desk.problems).toEqual([]);
    });

    it("is compared with the thread it comes from: what is the same, and what only one has", async () => {
      const { models } = stage();
      const desk = await stage().open({ model: "scripted" });
      models.script(
        say("Both say this."),
        say("The sky is **blue** today."),
        say("The sky is **grey** today."),
      );
      await desk.ask("First");
      await desk.ask("Second");
      await editInBranch(desk, "Second", "Second");
      await desk.page.locator(".answer").getByText("grey").waitFor();
      await desk.page.locator(".answer-foot").nth(1).waitFor();
      await desk.page.getByRole("button", { name: "More", exact: true }).click();
      await desk.page.getByRole("menuitem", { name: "Compare with…" }).click();
      const dialog = desk.page.getByRole("dialog", { name: "Compare two threads" });
      await dialog.getByRole("button", { name: "1 turn is the same" }).click();
      await dialog.getByText("Both say this.").waitFor();
      expect(await dialog.locator("mark").allInnerTexts()).toEqual(["grey", "blue"]);
      // The thread itself is not different from itself.
      const [left, right] = [dialog.getByLabel("First thread"), dialog.getByLabel("Second thread")];
      await right.selectOption(await left.inputValue());
      await dialog.getByText("Both say the same.").waitFor();
      await desk.page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      expect(desk.problems).toEqual([]);
    });
  });
}

async function editInBranch({ page }: DeskPage, question: string, changed: string): Promise<void> {
  const asked = page.getByRole("article", { name: "You" }).filter({ hasText: question }).last();
  await asked.getByRole("button", { name: "Edit, in a branch" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit, in a branch" });
  const field = dialog.getByRole("textbox");
  expect(await field.inputValue()).toBe(question);
  await field.fill(changed);
  await dialog.getByRole("button", { name: "Send" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("article", { name: "You" }).filter({ hasText: changed }).last().waitFor();
}
