import { expect, it } from "vitest";
import { TestThread } from "../../support/ui/test-thread.ts";
import { editorText, type FilesHarness, openThread, openFile } from "./files.harness.ts";

export function testTables({ ui, openSamples }: FilesHarness): void {
  it("shows CSV and Parquet as a grid of all rows, sorted and filtered in the sandbox", async () => {
    const { app, panel } = await openSamples();
    for (const name of ["cities.csv", "cities.parquet"]) {
      const view = await openFile(panel, name);
      const grid = view.getByRole("table");
      await view.getByText("1,200 rows × 3 columns").waitFor();
      await grid.getByRole("button", { name: "n", exact: true }).click();
      await grid.getByRole("button", { name: "n", exact: true }).click();
      await grid.getByRole("cell", { name: "1199" }).waitFor();
      await view.getByRole("searchbox", { name: "Filter rows" }).fill("北京");
      await view.getByText("400 of 1,200 rows").waitFor();
      await view.getByRole("button", { name: "Back to files" }).click();
    }
    const text = await openFile(panel, "cities.csv");
    await text.getByRole("button", { name: "Show as text" }).click();
    await text.locator(".cm-content").waitFor();
    expect(await editorText(text)).toContain("city,n,share");
    expect(app.problems).toEqual([]);
  });

  it("shows each sheet of a workbook", async () => {
    const { app, panel } = await openSamples();
    const view = await openFile(panel, "book.xlsx");
    await view.getByText("5 rows × 3 columns").waitFor();
    const sheets = view.getByRole("combobox", { name: "Sheet" });
    expect(await sheets.locator("option").allInnerTexts()).toEqual(["Cities", "第二"]);
    await sheets.selectOption("第二");
    await view.getByRole("cell", { name: "苹果" }).waitFor();
    await view.getByText("2 rows × 2 columns").waitFor();
    expect(app.problems).toEqual([]);
  });

  it("names the package that Python lacks to read a file", async () => {
    const thread = await TestThread.start(ui());
    // Modules in the working folder take precedence over installed ones.
    await thread.files.write("openpyxl.py", "raise ModuleNotFoundError('openpyxl')");
    await thread.files.write("book.xlsx", "what it holds does not matter");
    await thread.files.write("damaged.parquet", "no parquet at all");
    const { panel } = await openThread(thread, "Files");
    const book = await openFile(panel, "book.xlsx");
    await book.getByText("run `pip install openpyxl`, or save the file as CSV").waitFor();
    await book.getByRole("button", { name: "Back to files" }).click();
    const damaged = await openFile(panel, "damaged.parquet");
    await damaged.getByText("it is not a sound Parquet file").waitFor();
    expect(await damaged.getByRole("table").count()).toBe(0);
  });
}
