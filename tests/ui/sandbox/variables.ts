import { expect, it } from "vitest";
import { answer, finish, reply, toolCall } from "../../support/scripted-openai/index.ts";
import { openPanel } from "../../support/ui/test-thread.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { openNew } from "./sandbox.harness.ts";

export function testVariables(ui: () => UiHarness): void {
  it("shows the name, type, shape and preview of any variable", async () => {
    const { thread, app, panel } = await openNew(ui(), "Variables");
    await thread.run(`
import numpy as np, pandas as pd
big = pd.DataFrame(np.zeros((1_000_000, 3)), columns=["a", "b", "c"])
array = np.arange(60).reshape(3, 4, 5)
word = "你好"
class Evil:
    def __repr__(self): raise RuntimeError("no")
    def __len__(self): raise SystemExit
    def __getattr__(self, name): raise KeyboardInterrupt
class Endless:
    def __repr__(self):
        while True: pass
evil, endless = Evil(), Endless()
long = "x" * 5_000_000`);
    const row = (name: string) => panel.getByRole("row", { name: new RegExp(`^${name} `) });
    await panel.getByRole("row", { name: /^big a, b, c DataFrame 1,000,000 × 3/ }).waitFor();
    expect(await row("array").innerText()).toMatch(/ndarray\s+3 × 4 × 5/);
    expect(await row("word").innerText()).toContain("'你好'");
    expect(await row("evil").innerText()).toContain("Evil");
    expect(await row("endless").innerText()).toContain("Endless");
    expect((await row("long").innerText()).length).toBeLessThan(1000);
    await panel.getByRole("searchbox", { name: "Filter variables" }).fill("frame");
    await row("word").waitFor({ state: "detached" });
    await row("big").waitFor();
    await panel.getByRole("searchbox", { name: "Filter variables" }).fill("");
    await panel.getByRole("button", { name: "Delete word" }).click();
    await row("word").waitFor({ state: "detached" });
    await thread.run("assert 'word' not in globals()");
    // A kernel that runs code says so with 409, and is asked again.
    expect(app.problems.filter((problem) => !/status of 409/.test(problem))).toEqual([]);
  });

  it("shows the variables that an answer left, of the analyst and of a model", async () => {
    const app = await ui().open({ model: "scripted" });
    const panel = await openPanel(app, "Variables");
    ui().models.script(
      reply(toolCall("execute_python", { code: "total = 6 * 7" }), finish("tool_calls")),
      answer("Done."),
    );
    await app.ask("count");
    await panel.getByRole("row", { name: /^total 42 int/ }).waitFor();
    expect(app.problems.filter((problem) => !/status of 409/.test(problem))).toEqual([]);
    await app.close();

    const analyst = await openNew(ui(), "Variables");
    await analyst.app.ask("What are the top 5 categories by spend?");
    await analyst.panel.getByRole("row", { name: /^df .* DataFrame 6,218 × 6/ }).waitFor();
    expect(analyst.app.problems.filter((problem) => !/status of 409/.test(problem))).toEqual([]);
  });
}
