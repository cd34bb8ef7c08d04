import { describe, expect, it } from "vitest";
import { answer as say } from "../../support/scripted-openai/index.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { runPython } from "../../support/ui/tool-replies.ts";

const EVIL_NAME = `<img src=x onerror=window.hit=1>"'><script>window.hit=2<\\/script>\u202egnp.exe`;

export function describeNames(ui: () => UiHarness): void {
  describe("hostile names", () => {
    it("shows hostile names as text: titles, files, columns, variables, results", async () => {
      const name = EVIL_NAME.replaceAll("/", "-");
      const code = `import pandas as pd
name = ${JSON.stringify(name)}
open('/workspace/' + name + '.txt', 'w').write('hello')
open('/session/artifacts/' + name + '.csv', 'w').write('a\\n1')
display(pd.DataFrame({name: [name, name]}))
raise ValueError(name)`;
      ui().models.script(runPython(code), say(`Told: \`${name}\``));
      const app = await ui().open({ model: "scripted", width: 1440 });
      const answer = await app.ask(EVIL_NAME);
      await answer.getByRole("columnheader").first().waitFor();
      await ui().request("PATCH", `/thread/${app.threadId}`, { title: EVIL_NAME });
      await app.page.getByRole("heading", { level: 1, name: "<img src=x" }).waitFor();
      await app.page.getByRole("navigation").getByRole("link", { name: "<img src=x" }).first().waitFor();
      await app.page.getByRole("button", { name: "Show files and sandbox" }).click();
      const panel = app.page.getByRole("tabpanel");
      await panel.getByText("<img src=x").first().waitFor();
      for (const tab of ["Results", "Variables"]) {
        await app.page.getByRole("tab", { name: tab }).click();
        await panel.getByText("<img src=x").first().waitFor();
      }
      await app.page.getByRole("button", { name: "More", exact: true }).click();
      await app.page.getByRole("menuitem", { name: "Compare with…" }).click();
      await app.page.getByRole("dialog").waitFor();
      expect(await app.page.evaluate("typeof window.hit")).toBe("undefined");
      expect(await app.page.locator("img[src=x], script:not([src])").count()).toBe(0);
      expect(app.problems).toEqual([]);
    });
  });
}
