import { describe, expect, it } from "vitest";
import { answer as say } from "../../support/scripted-openai/index.ts";
import type { Stage } from "../../support/ui/stage.ts";
import { runCommand, runPython } from "../../support/ui/tool-replies.ts";
import { openSettings } from "./open-settings.ts";

export function describeThreadRules(stage: () => Stage): void {
  describe("of one thread", () => {
    it("approvals hold from the next call on; what nobody decides in time is refused", async () => {
      const { models } = stage();
      const desk = await stage().open({ model: "scripted" });
      models.script(runPython("print('at', 'once')"), say("Done."));
      await desk.ask("Before");
      await desk.page.getByText("at once", { exact: true }).waitFor();
      const settings = await openSettings(desk.page);
      await settings.getByRole("checkbox", { name: "Ask before tools run" }).check();
      await settings.getByText("Saved.").waitFor();
      await desk.page.keyboard.press("Escape");
      models.script(runPython("print('must', 'not')"), say("Nobody was there."));
      const answer = await desk.send("After");
      await answer.getByRole("group", { name: /May this run\?/ }).waitFor();
      await answer.getByText(/\ds left|\d s left/).waitFor();
      await answer.getByText("Denied · nobody decided in time").waitFor();
      await answer.getByText("Nobody was there.").waitFor();
      expect(await answer.getByRole("button", { name: "Allow once" }).count()).toBe(0);
      expect(await desk.page.getByText("must not", { exact: true }).count()).toBe(0);
      expect(desk.problems).toEqual([]);
    });

    it("rules for single tools are added, obeyed and taken back", async () => {
      const { models } = stage();
      const desk = await stage().open({ model: "scripted" });
      const settings = await openSettings(desk.page);
      await settings.getByRole("button", { name: "Add a rule" }).click();
      await settings.getByRole("textbox", { name: "Tool" }).fill("execute_shell");
      await settings.getByRole("combobox", { name: /Permission/ }).selectOption("deny");
      await settings.getByRole("button", { name: "Save", exact: true }).click();
      await settings.getByText("Saved.").waitFor();
      await settings.getByText("Saved.").waitFor({ state: "detached" });
      await desk.page.keyboard.press("Escape");
      models.script(runCommand("echo forbidden"), runPython("print('allowed')"), say("One of two."));
      const answer = await desk.ask("Try both");
      expect(await answer.getByRole("group", { name: /Command/ }).innerText()).toMatch(/rule/);
      await answer.getByText("allowed", { exact: true }).waitFor();
      const again = await openSettings(desk.page);
      await again.getByRole("button", { name: "Remove the rule for execute_shell" }).click();
      await again.getByRole("button", { name: "Save", exact: true }).click();
      await again.getByText("Saved.").waitFor();
      await desk.page.keyboard.press("Escape");
      models.script(runCommand("echo now-it-runs"), say("Good."));
      await desk.ask("Again");
      await desk.page.getByText("now-it-runs", { exact: true }).last().waitFor();
      expect(desk.problems).toEqual([]);
    });

    it("the network is closed until hosts are named, and a change holds for the next run", async () => {
      const { models } = stage();
      const desk = await stage().open({ model: "scripted" });
      const settings = await openSettings(desk.page);
      expect(await settings.getByRole("radio", { name: "None" }).isChecked()).toBe(true);
      await settings.getByRole("radio", { name: "These hosts only" }).check();
      await settings.getByLabel(/Hosts, one a line/).fill("only.example.test\n*.example.org");
      await settings.getByRole("button", { name: "Save", exact: true }).click();
      await settings.getByText("Saved.").waitFor();
      const saved = await stage().request("GET", `/thread/${desk.threadId}`);
      expect(saved["network"]).toEqual({ allow: ["only.example.test", "*.example.org"] });
      await desk.page.keyboard.press("Escape");
      models.script(runCommand("curl -sS -m 5 http://other.example.test/ || true"), say("No."));
      const answer = await desk.ask("Reach out");
      await answer.getByText(/other\.example\.test must not be reached/).waitFor();
      // The way to the settings is where one needs it.
      await answer.getByRole("button", { name: "Network settings" }).click();
      const again = desk.page.getByRole("dialog", { name: "Settings" });
      await again.getByRole("radio", { name: "None" }).check();
      const network = async () => (await stage().request("GET", `/thread/${desk.threadId}`))["network"];
      await expect.poll(network).toBe("none");
      expect(desk.problems).toEqual([]);
    });

    it("the model can be another than the server's", async () => {
      const { models } = stage();
      const desk = await stage().open({ model: "scripted" });
      const settings = await openSettings(desk.page);
      const thread = settings.getByRole("group", { name: "This thread" });
      await thread.getByRole("combobox", { name: "Model" }).selectOption("As the server (Built-in analyst)");
      await settings.getByText("Saved.").waitFor();
      await desk.page.keyboard.press("Escape");
      const answer = await desk.ask("How many rows are there?");
      expect(await answer.locator(".answer-foot").innerText()).toContain("Built-in analyst");
      expect(models.left).toBe(0);
      expect(desk.problems).toEqual([]);
    });
  });
}
