import { describe, expect, it } from "vitest";
import { answer as say } from "../../support/scripted-openai/index.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { callTool, runCommand, runPython } from "../../support/ui/tool-replies.ts";
import { askFirst, openAsking } from "./approvals.harness.ts";

export function describeChanges(ui: () => UiHarness): void {
  describe("an approval card", () => {
    it("shows the whole command before approval", async () => {
      const app = await openAsking(ui());
      const command = `echo one && \\\n  rm -rf /workspace/${"long/".repeat(40)}end # the last word`;
      const { answer, card } = await askFirst(ui(), app, runCommand(command), say("Done."));
      expect(await card.locator("pre").innerText()).toBe(command);
      await card.getByRole("button", { name: "Allow once" }).click();
      await answer.getByText("Allowed · by you").waitFor();
      await answer.getByText("Done.").waitFor();
      expect(app.problems).toEqual([]);
    });

    it("shows the whole program before approval, however long", async () => {
      const app = await openAsking(ui());
      const code = Array.from({ length: 400 }, (_, line) => `step_${line} = ${line}`).join("\n");
      const { answer, card } = await askFirst(ui(), app, runPython(code), say("Done."));
      expect(await card.locator("pre").innerText()).toContain("step_399 = 399");
      await card.getByRole("button", { name: "Allow once" }).click();
      await answer.getByText("Done.").waitFor();
      expect(app.problems).toEqual([]);
    });

    it("shows a file change as a diff with the current file", async () => {
      const app = await openAsking(ui());
      const first = await askFirst(
        ui(),
        app,
        callTool("file_write", { file: "plan.txt", content: "one\ntwo\nthree\n" }),
        callTool("file_write", { file: "plan.txt", content: "one\n2\nthree\n" }),
        callTool("file_edit", { file: "plan.txt", old_str: "three", new_str: "drei" }),
        say("Done."),
      );
      await first.card.getByText("New file.").waitFor();
      expect(await first.card.locator("pre").innerText()).toMatch(/\+\s?one\n\+\s?two\n\+\s?three/);
      await first.card.getByRole("button", { name: "Allow once" }).click();
      const card = first.answer.getByRole("group", { name: /Allow this to run\?/ });
      await expect.poll(() => card.locator("pre").innerText()).toMatch(/-\s?two\n\+\s?2/);
      expect(await card.locator("pre").innerText()).not.toMatch(/[-+]\s?one/);
      await card.getByText("plan.txt", { exact: true }).waitFor();
      await card.getByRole("button", { name: "Allow once" }).click();
      await expect.poll(() => card.locator("pre").innerText()).toMatch(/-\s?three\n\+\s?drei/);
      await card.getByRole("button", { name: "Allow once" }).click();
      await first.answer.getByText("Done.").waitFor();
      // The browser reports the 404 of a file that does not exist yet.
      expect(app.problems.filter((problem) => !problem.includes("404"))).toEqual([]);
    });

    it("shows all arguments of any other tool", async () => {
      const app = await openAsking(ui());
      const args = { file: "<b>a</b>.txt" };
      const { answer, card } = await askFirst(ui(), app, callTool("file_read", args), say("Done."));
      expect(JSON.parse(await card.locator("pre").innerText())).toEqual(args);
      await card.getByRole("button", { name: "Deny…" }).click();
      await card.getByRole("button", { name: "Deny", exact: true }).click();
      await answer.getByText("Done.").waitFor();
      expect(app.problems).toEqual([]);
    });
  });
}
