import { expect, it, onTestFinished } from "vitest";
import { answer, finish, reply, toolCall } from "../../support/scripted-openai/index.ts";
import { TestThread, openPanel } from "../../support/ui/test-thread.ts";
import { editorText, fileRow, type FilesHarness, openThread, openFile } from "./files.harness.ts";
import { MANY_FILES } from "./sample-files.ts";

export function testTree({ ui, openSamples }: FilesHarness): void {
  it("shows nested folders, with Chinese names too, and opens them by keyboard", async () => {
    const { app, panel } = await openSamples();
    const { keyboard } = app.page;
    await fileRow(panel, "reports").waitFor();
    await fileRow(panel, "/workspace").focus();
    await keyboard.press("ArrowDown");
    await keyboard.press("ArrowRight");
    await fileRow(panel, "2025").waitFor();
    await keyboard.press("ArrowRight");
    await keyboard.press("ArrowRight");
    await fileRow(panel, "第一季度").waitFor();
    await keyboard.press("ArrowRight");
    await keyboard.press("Enter");
    const report = fileRow(panel, "摘要 报告.md");
    await report.waitFor();
    expect(await report.getAttribute("aria-level")).toBe("5");
    await keyboard.press("ArrowDown");
    await keyboard.press("Enter");
    await panel.getByRole("heading", { name: "摘要" }).waitFor();
    await panel.getByRole("button", { name: "Back to files" }).click();
    await report.waitFor();
    await fileRow(panel, "reports").focus();
    await keyboard.press("ArrowLeft");
    await report.waitFor({ state: "detached" });
    expect(app.problems).toEqual([]);
  });

  it("opens files with any name", async () => {
    const { app, panel } = await openSamples();
    const contents = {
      "name with spaces.txt": "with spaces",
      "line‹000A›break.txt": "a line break in its name",
      "<img src=x onerror=alert(1)>.txt": "markup in its name",
      "..hidden": "two dots",
      "quote\"'&?#%41.txt": "signs of addresses",
      "gpj.‹202E›txt": "turned around",
      "空 文件.txt": "",
      README: "words without an ending",
    };
    for (const [name, text] of Object.entries(contents)) {
      const view = await openFile(panel, name);
      await view.locator(".cm-content").waitFor();
      expect((await editorText(view)).trim(), name).toBe(text);
      await view.getByRole("button", { name: "Back to files" }).click();
    }
    expect(app.problems).toEqual([]);
  });

  it("follows links, and says if one is broken", async () => {
    const { app, panel } = await openSamples();
    const text = await openFile(panel, "link to text.txt");
    await text.getByText("with spaces").waitFor();
    await text.getByRole("button", { name: "Back to files" }).click();
    await fileRow(panel, "link to folder").click();
    await expect.poll(() => fileRow(panel, "link to folder").getAttribute("aria-expanded")).toBe("true");
    await fileRow(panel, "2025").waitFor();
    await fileRow(panel, "link to folder").click();
    const broken = await openFile(panel, "broken link.txt");
    await broken.locator(".failure").waitFor();
    expect(await broken.locator(".failure").innerText()).toMatch(/nowhere|no such/i);
    // The browser reports every failed request.
    expect(app.problems.filter((problem) => !/status of (404|409|416)/.test(problem))).toEqual([]);
  });

  it("renders only the visible rows of a folder with thousands of files", async () => {
    const thread = await TestThread.start(ui());
    await thread.files.write("many/first.txt", "1");
    const { app, panel } = await openThread(thread, "Terminal");
    await panel.locator(".xterm-rows").getByText("/workspace $").first().waitFor();
    await app.page.keyboard.type(`cd many && touch file-{1..${MANY_FILES}}.txt && echo made-$((1+1))`);
    await app.page.keyboard.press("Enter");
    await panel.locator(".xterm-rows").getByText("made-2").waitFor();
    const files = await openPanel(app, "Files");
    await fileRow(files, "many").click();
    await fileRow(files, "file-2.txt").waitFor();
    expect(await fileRow(files, "file-2.txt").getAttribute("aria-setsize")).toBe(String(MANY_FILES + 1));
    expect(await files.getByRole("treeitem").count()).toBeLessThan(120);
    await app.page.keyboard.press("End");
    await fileRow(files, "/session/artifacts").waitFor();
    const last = fileRow(files, `file-${MANY_FILES}.txt`);
    // The two other roots are at the end.
    await last.waitFor();
    expect(await files.getByRole("treeitem").count()).toBeLessThan(120);
    expect(app.problems).toEqual([]);
  });

  it("shows new files after an answer and keeps folders open", async () => {
    const app = await ui().open({ model: "scripted" });
    onTestFinished(() => app.close());
    const panel = await openPanel(app, "Files");
    await fileRow(panel, "transactions.csv").waitFor();
    ui().models.script(
      reply(
        toolCall("execute_python", {
          code: "import os; os.makedirs('kept', exist_ok=True); open('kept/a.txt','w').write('1')",
        }),
        finish("tool_calls"),
      ),
      answer("Made."),
      reply(toolCall("execute_python", { code: "open('kept/b.txt','w').write('2')" }), finish("tool_calls")),
      answer("Made again."),
    );
    await app.ask("make a file");
    await fileRow(panel, "kept").click();
    await fileRow(panel, "a.txt").waitFor();
    expect(await fileRow(panel, "b.txt").count()).toBe(0);
    await app.ask("make another");
    await fileRow(panel, "b.txt").waitFor();
    await fileRow(panel, "a.txt").waitFor();
    expect(app.problems).toEqual([]);
  });
}
