import { expect, it } from "vitest";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { runCode } from "./answers.harness.ts";

export function testPlaces(ui: () => UiHarness): void {
  it("says which of two Python runtimes ran the code, and why", async () => {
    const { thread_id: id } = await ui().request("POST", "/thread/new", { runtime: "auto" });
    const app = await ui().open({ path: `/ui#/thread/${String(id)}` });
    const light = await runCode(ui(), app, "sum(range(10))");
    await light.getByTitle("Show code").click();
    await light.getByText("Ran in Pyodide: is plain Python").waitFor();

    const heavy = await runCode(ui(), app, "import numpy as np\nint(np.arange(4).sum())");
    expect(await heavy.getByText("Ran in CPython").count()).toBe(0);
    await heavy.getByTitle("Show code").click();
    await heavy.getByText("Ran in CPython: imports numpy").waitFor();

    // A second run is mentioned even while the code is folded.
    const missing = "raise ModuleNotFoundError(\"No module named 'moon'\", name='moon')";
    const twice = await runCode(ui(), app, missing);
    await twice.getByText("Ran again, in CPython: Pyodide has no module moon").waitFor();

    const chinese = await ui().open({ path: `/ui#/thread/${String(id)}`, language: "zh" });
    await chinese.page.getByText("改在 CPython 中重新运行：Pyodide 没有模块 moon").waitFor();
    await chinese.page.getByText("代码已在 CPython 中从头重新运行。").waitFor();
    expect([...app.problems, ...chinese.problems]).toEqual([]);
  });
}
