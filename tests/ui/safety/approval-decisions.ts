import { describe, expect, it } from "vitest";
import { answer as say } from "../../support/scripted-openai/index.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { callTool, runCommand } from "../../support/ui/tool-replies.ts";
import { askFirst, openAsking } from "./approvals.harness.ts";

export function describeDecisions(ui: () => UiHarness): void {
  describe("a decision", () => {
    it("runs the command as the user edited it", async () => {
      const app = await openAsking(ui());
      const { answer, card } = await askFirst(ui(), app, runCommand("echo theirs"), say("Done."));
      await card.getByRole("button", { name: "Edit…" }).click();
      const editor = card.getByRole("textbox", { name: "Edited arguments" });
      await editor.fill("echo mine");
      await card.getByRole("button", { name: "Allow with these changes" }).click();
      await answer.getByText("mine", { exact: true }).waitFor();
      await answer.getByText("Allowed · by you · edited arguments").waitFor();
      expect(await answer.getByText("theirs", { exact: true }).count()).toBe(0);
      expect(app.problems).toEqual([]);
    });

    it("refuses edited arguments that are not JSON", async () => {
      const app = await openAsking(ui());
      const { answer, card } = await askFirst(ui(), app, callTool("file_read", { file: "a" }), say("Done."));
      await card.getByRole("button", { name: "Edit…" }).click();
      await card.getByRole("textbox", { name: "Edited arguments" }).fill("{ file: ");
      await card.getByText("This is not a JSON object.").waitFor();
      expect(await card.getByRole("button", { name: "Allow with these changes" }).isDisabled()).toBe(true);
      await card.getByRole("button", { name: "Cancel" }).click();
      await card.getByRole("button", { name: "Allow once" }).click();
      await answer.locator(".answer-foot").waitFor();
      expect(app.problems).toEqual([]);
    });

    it("passes the reason of a denial to the model", async () => {
      const app = await openAsking(ui());
      const { answer, card } = await askFirst(ui(), app, runCommand("rm notes.txt"), say("I see."));
      await card.getByRole("button", { name: "Deny…" }).click();
      await card.getByLabel(/Reason \(optional\)/).fill("Keep the notes");
      await card.getByRole("button", { name: "Deny", exact: true }).click();
      await answer.getByText("Denied · by you · Keep the notes").waitFor();
      await answer.getByText("I see.").waitFor();
      expect(JSON.stringify(ui().models.requests.at(-1)?.body.messages)).toContain("Keep the notes");
      expect(app.problems).toEqual([]);
    });

    it("remembers a decision for a tool as a rule that can be removed", async () => {
      const app = await openAsking(ui());
      const { answer, card } = await askFirst(
        ui(),
        app,
        runCommand("echo first"),
        runCommand("echo second"),
        say("Both ran."),
      );
      await card.getByRole("button", { name: "Always allow this tool" }).click();
      await answer.getByText("Both ran.").waitFor();
      await answer.getByText("always for this tool").waitFor();
      await answer.getByText("second", { exact: true }).waitFor();
      await app.page.getByRole("button", { name: "Settings" }).click();
      const rules = app.page.getByRole("dialog").getByRole("textbox", { name: "Tool" });
      await rules.waitFor();
      expect(await rules.inputValue()).toBe("execute_shell");
      await app.page.keyboard.press("Escape");
      expect(app.problems).toEqual([]);
    });

    it("remembers a decision for one call only", async () => {
      const app = await openAsking(ui());
      const { answer, card } = await askFirst(
        ui(),
        app,
        runCommand("echo same"),
        runCommand("echo same"),
        runCommand("echo other"),
        say("Done."),
      );
      await card.getByRole("button", { name: "Always allow this call" }).click();
      await expect.poll(() => card.locator("pre").innerText()).toBe("echo other");
      expect(await answer.getByRole("group", { name: /Allow this to run\?/ }).count()).toBe(1);
      await card.getByRole("button", { name: "Allow once" }).click();
      await answer.getByText("Done.").waitFor();
      expect(app.problems).toEqual([]);
    });

    it("applies a decision once, and shows it in other tabs", async () => {
      const app = await openAsking(ui());
      const { answer, card } = await askFirst(ui(), app, runCommand("echo once"), say("Done."));
      const other = await app.openAnother(`/ui#/thread/${app.threadId}`);
      const there = other.getByRole("group", { name: /Allow this to run\?/ });
      await there.waitFor();
      await card.getByRole("button", { name: "Allow once" }).click();
      await other.getByText("Allowed · by you").waitFor();
      await there.waitFor({ state: "detached" });
      await answer.getByText("Done.").waitFor();
      expect(await app.page.getByText("Allowed · by you").count()).toBe(1);
      expect(app.problems).toEqual([]);
    });
  });
}
