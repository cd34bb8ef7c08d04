import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Download } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { TestThread } from "../../support/ui/test-thread.ts";
import { chooseAction, fileRow, type FilesHarness, openThread } from "./files.harness.ts";

export function testChanges({ ui, samples, openSamples }: FilesHarness): void {
  it("renames files and folders by menu and by F2", async () => {
    const thread = await TestThread.start(ui());
    await thread.files.write("old name.txt", "same");
    await thread.files.write("folder/inner.txt", "deep");
    const { app, panel } = await openThread(thread, "Files");
    const { page } = app;
    await fileRow(panel, "old name.txt").waitFor();
    await chooseAction(page, panel, "old name.txt", "Rename");
    const dialog = page.getByRole("dialog", { name: "Rename old name.txt" });
    await dialog.getByRole("textbox").fill("新 名字.txt");
    await dialog.getByRole("button", { name: "Rename" }).click();
    await fileRow(panel, "新 名字.txt").waitFor();
    expect(await fileRow(panel, "old name.txt").count()).toBe(0);
    await fileRow(panel, "folder").focus();
    await page.keyboard.press("F2");
    await page.getByRole("textbox", { name: "Rename folder" }).fill("renamed");
    await page.keyboard.press("Enter");
    await fileRow(panel, "renamed").waitFor();
    expect(await thread.files.readText("renamed/inner.txt")).toBe("deep");
    expect(app.problems).toEqual([]);
    await chooseAction(page, panel, "新 名字.txt", "Rename");
    await page.getByRole("textbox", { name: "Rename 新 名字.txt" }).fill("renamed");
    await page.keyboard.press("Enter");
    await page.getByText("something is there already").waitFor();
    expect(await thread.files.readText("新 名字.txt")).toBe("same");
  });

  it("deletes files and folders, and restores them", async () => {
    const thread = await TestThread.start(ui());
    await thread.files.write("doomed.txt", "still here");
    await thread.files.write("folder/inner.txt", "deep");
    const { app, panel } = await openThread(thread, "Files");
    const { page } = app;
    const toast = (name: string) => page.locator(".toast", { hasText: `${name}: Deleted.` });
    await fileRow(panel, "doomed.txt").waitFor();
    await chooseAction(page, panel, "doomed.txt", "Delete");
    await fileRow(panel, "doomed.txt").waitFor({ state: "detached" });
    await toast("doomed.txt").getByRole("button", { name: "Undo" }).click();
    await fileRow(panel, "doomed.txt").waitFor();
    expect(await thread.files.readText("doomed.txt")).toBe("still here");
    await fileRow(panel, "folder").focus();
    await page.keyboard.press("Delete");
    await fileRow(panel, "folder").waitFor({ state: "detached" });
    await toast("folder").getByRole("button", { name: "Undo" }).click();
    await fileRow(panel, "folder").waitFor();
    expect(await thread.files.readText("folder/inner.txt")).toBe("deep");
    expect(app.problems).toEqual([]);
  });

  it("offers no changes to read-only files and fixed folders", async () => {
    const { app, panel } = await openSamples();
    const { page } = app;
    for (const [name, actions] of [
      ["/workspace", ["Download as zip", "Upload into this folder"]],
      ["transactions.csv", ["Download"]],
      ["/data", ["Download as zip"]],
    ] as const) {
      await fileRow(panel, name).hover();
      await panel.getByRole("button", { name: `Actions for ${name}`, exact: true }).click();
      const menu = page.getByRole("menu", { name: `Actions for ${name}`, exact: true });
      expect(await menu.getByRole("menuitem").allInnerTexts()).toEqual(actions);
      await page.keyboard.press("Escape");
    }
    // The API cannot move it either, and leaves no copy behind.
    const { files } = samples();
    await expect(files.move("/data/transactions.csv", "/workspace/taken.csv")).rejects.toMatchObject({
      code: "permission_denied",
    });
    await expect(files.readText("/workspace/taken.csv")).rejects.toMatchObject({ code: "not_found" });
    expect(app.problems).toEqual([]);
  });

  it("downloads a file, a folder and everything, byte for byte", async () => {
    const { app, panel } = await openSamples();
    const { page } = app;
    const fetchBy = async (act: () => Promise<unknown>) => {
      const [download] = await Promise.all([page.waitForEvent("download"), act()]);
      return download;
    };
    await fileRow(panel, "plot.png").waitFor();
    const one = await fetchBy(() => chooseAction(page, panel, "plot.png", "Download"));
    expect(one.suggestedFilename()).toBe("plot.png");
    const original = Buffer.from(await samples().files.read("plot.png"));
    expect((await readFile(await one.path())).equals(original)).toBe(true);
    const folder = await unzip(await fetchBy(() => chooseAction(page, panel, "reports", "Download as zip")));
    expect(await readFile(join(folder, "2025/第一季度/摘要 报告.md"), "utf8")).toContain("你好");
    const all = await fetchBy(() => panel.getByRole("button", { name: "Download all" }).click());
    expect(all.suggestedFilename()).toBe("files.zip");
    const unpacked = await unzip(all);
    expect((await readFile(join(unpacked, "workspace/plot.png"))).equals(original)).toBe(true);
    expect(await readFile(join(unpacked, "data/transactions.csv"), "utf8")).toBe(
      await samples().files.readText("/data/transactions.csv"),
    );
    expect(await readFile(join(unpacked, "left-out.txt"), "utf8")).toContain("link to folder: symlink");
    expect(app.problems).toEqual([]);
  });

  it("uploads into a folder without overwriting files", async () => {
    const thread = await TestThread.start(ui());
    await thread.files.write("target/data.csv", "old");
    const { app, panel } = await openThread(thread, "Files");
    const { page } = app;
    await fileRow(panel, "target").click();
    await fileRow(panel, "data.csv").waitFor();
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      chooseAction(page, panel, "target", "Upload into this folder"),
    ]);
    await chooser.setFiles([
      { name: "data.csv", mimeType: "text/csv", buffer: Buffer.from("new") },
      { name: "图表 数据.bin", mimeType: "", buffer: Buffer.from([0, 1, 2, 255]) },
    ]);
    await fileRow(panel, "data (2).csv").waitFor();
    await fileRow(panel, "图表 数据.bin").waitFor();
    expect(await thread.files.readText("target/data.csv")).toBe("old");
    expect(await thread.files.readText("target/data (2).csv")).toBe("new");
    expect([...(await thread.files.read("target/图表 数据.bin"))]).toEqual([0, 1, 2, 255]);
    expect(app.problems).toEqual([]);
  });
}

async function unzip(download: Download): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "atoll-zip-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await promisify(execFile)("python3", ["-m", "zipfile", "-e", await download.path(), folder]);
  return folder;
}
