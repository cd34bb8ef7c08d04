import { describe, expect, it } from "vitest";
import { answer as say } from "../../support/scripted-openai/index.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { runCommand, runPython } from "../../support/ui/tool-replies.ts";
import { openSettings } from "./settings.harness.ts";

export function describeThreadRules(ui: () => UiHarness): void {
  describe("the settings of one thread", () => {
    it("asks from the next call on, and refuses what is not decided in time", async () => {
      const { models } = ui();
      const app = await ui().open({ model: "scripted" });
      models.script(runPython("print('at', 'once')"), say("Done."));
      await app.ask("Before");
      await app.page.getByText("at once", { exact: true }).waitFor();
      const settings = await openSettings(app.page);
      await settings.getByRole("checkbox", { name: "Ask before tools run" }).check();
      await settings.getByText("Saved.").waitFor();
      await app.page.keyboard.press("Escape");
      models.script(runPython("print('must', 'not')"), say("Nobody was there."));
      const answer = await app.send("After");
      await answer.getByRole("group", { name: /Allow this to run\?/ }).waitFor();
      await answer.getByText(/\ds left|\d s left/).waitFor();
      await answer.getByText("Denied · no decision in time").waitFor();
      await answer.getByText("Nobody was there.").waitFor();
      expect(await answer.getByRole("button", { name: "Allow once" }).count()).toBe(0);
      expect(await app.page.getByText("must not", { exact: true }).count()).toBe(0);
      expect(app.problems).toEqual([]);
    });

    it("adds, obeys and removes rules for individual tools", async () => {
      const { models } = ui();
      const app = await ui().open({ model: "scripted" });
      const settings = await openSettings(app.page);
      await settings.getByRole("button", { name: "Add a rule" }).click();
      await settings.getByRole("textbox", { name: "Tool" }).fill("execute_shell");
      await settings.getByRole("combobox", { name: /Permission/ }).selectOption("deny");
      await settings.getByRole("button", { name: "Save", exact: true }).click();
      await settings.getByText("Saved.").waitFor();
      await settings.getByText("Saved.").waitFor({ state: "detached" });
      await app.page.keyboard.press("Escape");
      models.script(runCommand("echo forbidden"), runPython("print('allowed')"), say("One of two."));
      const answer = await app.ask("Try both");
      expect(await answer.getByRole("group", { name: /Command/ }).innerText()).toMatch(/rule/);
      await answer.getByText("allowed", { exact: true }).waitFor();
      const again = await openSettings(app.page);
      await again.getByRole("button", { name: "Remove the rule for execute_shell" }).click();
      await again.getByRole("button", { name: "Save", exact: true }).click();
      await again.getByText("Saved.").waitFor();
      await app.page.keyboard.press("Escape");
      models.script(runCommand("echo now-it-runs"), say("Good."));
      await app.ask("Again");
      await app.page.getByText("now-it-runs", { exact: true }).last().waitFor();
      expect(app.problems).toEqual([]);
    });

    it("blocks the network until hosts are named, and applies changes to the next run", async () => {
      const { models } = ui();
      const app = await ui().open({ model: "scripted" });
      const settings = await openSettings(app.page);
      expect(await settings.getByRole("radio", { name: "None" }).isChecked()).toBe(true);
      await settings.getByRole("radio", { name: "These hosts only" }).check();
      await settings.getByLabel(/Hosts, one per line/).fill("only.example.test\n*.example.org");
      await settings.getByRole("button", { name: "Save", exact: true }).click();
      await settings.getByText("Saved.").waitFor();
      const saved = await ui().request("GET", `/thread/${app.threadId}`);
      expect(saved["network"]).toEqual({ allow: ["only.example.test", "*.example.org"] });
      await app.page.keyboard.press("Escape");
      models.script(runCommand("curl -sS -m 5 http://other.example.test/ || true"), say("No."));
      const answer = await app.ask("Reach out");
      await answer.getByText(/This sandbox may not reach other\.example\.test/).waitFor();
      // The answer links to the settings.
      await answer.getByRole("button", { name: "Network settings" }).click();
      const again = app.page.getByRole("dialog", { name: "Settings" });
      await again.getByRole("radio", { name: "None" }).check();
      const network = async () => (await ui().request("GET", `/thread/${app.threadId}`))["network"];
      await expect.poll(network).toBe("none");
      expect(app.problems).toEqual([]);
    });

    it("uses another model than the server's", async () => {
      const { models } = ui();
      const app = await ui().open({ model: "scripted" });
      const settings = await openSettings(app.page);
      const thread = settings.getByRole("group", { name: "This thread" });
      await thread.getByRole("combobox", { name: "Model" }).selectOption("Server default (Built-in analyst)");
      await settings.getByText("Saved.").waitFor();
      await app.page.keyboard.press("Escape");
      const answer = await app.ask("How many rows are there?");
      expect(await answer.locator(".answer-foot").innerText()).toContain("Built-in analyst");
      expect(models.left).toBe(0);
      expect(app.problems).toEqual([]);
    });
  });
}
