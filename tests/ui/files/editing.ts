import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { TestThread, openPanel } from "../../support/ui/test-thread.ts";
import { type FilesHarness, openThread, openFile } from "./files.harness.ts";

export function testEditing({ ui, openSamples }: FilesHarness): void {
  it("edits a file and saves it with the button and with Ctrl+S", async () => {
    const thread = await TestThread.start(ui());
    await thread.files.write("notes.py", "first\r\nsecond\r\n");
    const { app, panel } = await openThread(thread, "Files");
    const view = await openFile(panel, "notes.py");
    const save = view.getByRole("button", { name: "Save" });
    expect(await save.isDisabled()).toBe(true);
    await typeAtEnd(app.page, view, "第三 line");
    await view.getByText("Unsaved changes").waitFor();
    await save.click();
    await app.page.getByText("Saved.").waitFor();
    // Line ends are kept.
    expect(await thread.files.readText("notes.py")).toBe("first\r\nsecond\r\n第三 line");
    await app.page.getByRole("button", { name: "Close", exact: true }).click();
    await typeAtEnd(app.page, view, "!");
    await app.page.keyboard.press("Control+s");
    await app.page.getByText("Saved.").waitFor();
    expect(await thread.files.readText("notes.py")).toBe("first\r\nsecond\r\n第三 line!");
    expect(await save.isDisabled()).toBe(true);
    expect(app.problems).toEqual([]);
  });

  it("keeps unsaved changes while other panels are open", async () => {
    const thread = await TestThread.start(ui());
    await thread.files.write("notes.txt", "kept");
    const { app, panel } = await openThread(thread, "Files");
    await typeAtEnd(app.page, await openFile(panel, "notes.txt"), " and more");
    await openPanel(app, "Variables");
    const view = await openFile(await openPanel(app, "Files"), "notes.txt");
    await view.locator(".cm-content").getByText("kept and more").waitFor();
    await view.getByRole("button", { name: "Save" }).click();
    await app.page.getByText("Saved.").waitFor();
    expect(await thread.files.readText("notes.txt")).toBe("kept and more");
    expect(app.problems).toEqual([]);
  });

  it("says that the file has changed, and lets the user choose a version", async () => {
    const thread = await TestThread.start(ui());
    await thread.files.write("shared.txt", "mine");
    const { app, panel } = await openThread(thread, "Files");
    const view = await openFile(panel, "shared.txt");
    await typeAtEnd(app.page, view, " changed");
    await thread.files.write("shared.txt", "theirs, of another length");
    await view.getByRole("button", { name: "Save" }).click();
    const question = view.getByRole("alert");
    await question.getByText("This file has changed since you opened it.").waitFor();
    expect(await thread.files.readText("shared.txt")).toBe("theirs, of another length");
    await question.getByRole("button", { name: "Show the new version" }).click();
    await view.locator(".cm-content").getByText("theirs, of another length").waitFor();
    await typeAtEnd(app.page, view, ", and mine");
    // A change by a run shows before the user saves.
    await thread.run("open('/workspace/shared.txt', 'w').write('by a run')");
    await question.waitFor();
    await question.getByRole("button", { name: "Overwrite it" }).click();
    await app.page.getByText("Saved.").waitFor();
    expect(await thread.files.readText("shared.txt")).toBe("theirs, of another length, and mine");
  });

  it("reloads a file that a run changed if there is no draft", async () => {
    const thread = await TestThread.start(ui());
    await thread.files.write("result.txt", "old words");
    const { app, panel } = await openThread(thread, "Files");
    const view = await openFile(panel, "result.txt");
    await view.getByText("old words").waitFor();
    await thread.run("open('/workspace/result.txt', 'w').write('new words by a run')");
    await view.getByText("new words by a run").waitFor();
    expect(app.problems).toEqual([]);
  });

  it("does not edit uploaded data", async () => {
    const { app, panel } = await openSamples();
    const view = await openFile(panel, "transactions.csv");
    await view.getByRole("button", { name: "Show as text" }).click();
    await view.getByText("Read-only: uploaded data cannot be changed.").waitFor();
    expect(await view.locator(".cm-content").getAttribute("contenteditable")).toBe("false");
    expect(app.problems).toEqual([]);
  });
}

async function typeAtEnd(page: Page, view: Locator, text: string): Promise<void> {
  await view.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText(text);
}
