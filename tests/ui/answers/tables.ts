import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import type { AppPage } from "../../support/ui/app-page.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { save } from "./pictures.ts";
import { runCode } from "./answers.harness.ts";

const LARGE_TABLE = `
import pandas as pd
big = pd.DataFrame({
    "id": range(100_000),
    "city": ["Oslo", "Bergen", "Tromsø", "Bodø"] * 25_000,
    "score": [(n * 7919) % 100_003 for n in range(100_000)],
})
big
`;

export function testTables(ui: () => UiHarness): void {
  it("shows the first rows of a large table, and sorts and filters all of them in the kernel", async () => {
    const app = await openWith(ui());
    const answer = await runCode(ui(), app, LARGE_TABLE);
    const table = answer.getByRole("table");
    await answer.getByText("100,000 rows × 3 columns").waitFor();
    expect(await table.getByRole("row").count()).toBe(11);
    expect(await table.getByRole("columnheader").allInnerTexts()).toEqual(["id", "city", "score"]);
    await answer.getByRole("button", { name: "More rows" }).click();
    expect(await table.getByRole("row").count()).toBe(201);
    await answer.getByRole("button", { name: "Fewer rows" }).click();

    // Row 100,002 is far beyond the rows in the log.
    const score = table.getByRole("columnheader", { name: "score" });
    await score.getByRole("button").click();
    await expect.poll(() => firstCells(table)).toEqual(["0", "Oslo", "0"]);
    await score.getByRole("button").click();
    await expect.poll(() => cellAt(table, 2)).toBe("100,002");
    expect(await score.getAttribute("aria-sort")).toBe("descending");
    await answer.getByRole("searchbox", { name: "Filter" }).fill("bodø 99999");
    await answer.getByText("1 of 100,000 rows").waitFor();
    expect(await firstCells(table)).toEqual(["99,999", "Bodø", "68,327"]);

    await answer.getByRole("button", { name: "Copy as text" }).click();
    await answer.getByText("1 rows copied").waitFor();
    expect(await app.page.evaluate("navigator.clipboard.readText()")).toBe(
      "id\tcity\tscore\n99999\tBodø\t68327",
    );
    expect(app.problems).toEqual([]);
  });

  it("opens a full table that scrolls, sorts, filters, copies and saves every row", async () => {
    const app = await openWith(ui());
    const answer = await runCode(ui(), app, LARGE_TABLE);
    const open = answer.getByRole("button", { name: "Full table" });
    await open.click();
    const dialog = app.page.getByRole("dialog", { name: "Full table" });
    const grid = dialog.getByRole("table");
    await expect.poll(() => firstCells(grid)).toEqual(["0", "Oslo", "0"]);
    expect(await grid.getAttribute("aria-rowcount")).toBe("100001");

    await grid.press("End");
    const last = grid.locator('[aria-rowindex="100001"]');
    await expect.poll(() => last.getByRole("cell").allInnerTexts()).toEqual(["99,999", "Bodø", "68,327"]);
    await grid.evaluate((element) => {
      element.scrollTop = 1_500_000;
    });
    const middle = grid.locator('[aria-rowindex="50003"]');
    await expect.poll(() => middle.getByRole("cell").first().innerText()).toBe("50,001");

    await grid.getByRole("columnheader", { name: "score" }).getByRole("button").click();
    await grid.getByRole("columnheader", { name: "score" }).getByRole("button").click();
    await expect.poll(() => cellAt(grid, 2)).toBe("100,002");
    await dialog.getByRole("searchbox", { name: "Filter rows" }).fill("bergen 4999");
    await dialog.getByText(/^\d+ of 100,000 rows$/).waitFor();
    const found = Number(/^\d+/.exec(await dialog.getByText(/ of 100,000 rows$/).innerText())?.[0]);
    await expect.poll(() => grid.getAttribute("aria-rowcount")).toBe(String(found + 1));

    await dialog.getByRole("button", { name: "Copy as text" }).click();
    await dialog.getByText(`${found} rows copied`).waitFor();
    const copied = String(await app.page.evaluate("navigator.clipboard.readText()")).split("\n");
    expect(copied).toHaveLength(found + 1);
    expect(copied.slice(1).every((line) => line.includes("Bergen"))).toBe(true);

    const csv = await saveCsv(app.page, dialog);
    expect(csv).toHaveLength(found + 1);
    expect(csv.slice(1)).toEqual(copied.slice(1).map((line) => line.replaceAll("\t", ",")));
    await dialog.getByRole("searchbox", { name: "Filter rows" }).fill("");
    await dialog.getByText("100,000 rows × 3 columns").waitFor();
    expect(await saveCsv(app.page, dialog)).toHaveLength(100_001);

    await app.page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await open.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
    const inline = await saveCsv(app.page, answer);
    expect([inline.length, inline[0], inline.at(-1)]).toEqual([100_001, "id,city,score", "99999,Bodø,68327"]);
    expect(app.problems).toEqual([]);
  });

  it("says that a table is gone after a restart of the kernel", async () => {
    const gone = "This table is no longer in memory. Run the code again.";
    const app = await openWith(ui());
    const answer = await runCode(ui(), app, LARGE_TABLE);
    await ui().request("POST", `/thread/${app.threadId}/kernel/restart`);
    await answer.getByRole("button", { name: "Full table" }).click();
    await app.page.getByRole("dialog").getByText(gone).waitFor();
    await app.page.keyboard.press("Escape");

    await answer.getByRole("columnheader", { name: "score" }).getByRole("button").click();
    await answer.getByText(gone).waitFor();
    const rows = await saveCsv(app.page, answer);
    expect(rows).toHaveLength(201);
    await app.page.getByText("Only the first 200 of 100,000 rows were saved").waitFor();
  });

  it("loads the grid after the running code has ended", async () => {
    const app = await openWith(ui());
    const answer = await runCode(ui(), app, LARGE_TABLE);
    await ui().request("POST", `/thread/${app.threadId}/code`, {
      code: "import os, time\nwhile not os.path.exists('/workspace/go'): time.sleep(0.02)",
    });
    await app.page.getByText("Running").waitFor();
    await answer.getByRole("button", { name: "Full table" }).click();
    const dialog = app.page.getByRole("dialog", { name: "Full table" });
    await dialog.getByText("Code is running.").waitFor();
    await ui().request("POST", `/thread/${app.threadId}/stop`);
    await expect.poll(() => firstCells(dialog.getByRole("table"))).toEqual(["0", "Oslo", "0"]);
    expect(await dialog.getByText("Code is running.").count()).toBe(0);
  });
}

async function openWith(ui: UiHarness): Promise<AppPage> {
  const app = await ui.open();
  await app.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  return app;
}

function firstCells(table: Locator): Promise<string[]> {
  return table.getByRole("row").nth(1).getByRole("cell").allInnerTexts();
}

function cellAt(table: Locator, column: number): Promise<string> {
  return table.getByRole("row").nth(1).getByRole("cell").nth(column).innerText();
}

async function saveCsv(page: Page, where: Locator): Promise<string[]> {
  const file = await save(page, () => where.getByRole("button", { name: "Download as CSV" }).click());
  expect(file.suggestedFilename()).toMatch(/^table.*\.csv$/);
  return (await readFile(await file.path(), "utf8")).trimEnd().split("\n");
}
