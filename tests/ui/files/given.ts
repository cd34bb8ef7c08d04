import type { Locator, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import type { DeskPage } from "../../support/ui/desk-page.ts";
import type { DeskThread, PanelTitle } from "../../support/ui/desk-thread.ts";
import type { Stage } from "../../support/ui/stage.ts";

/** What every part of the suite works with; made once, before the first test. */
export interface Given {
  stage(): Stage;
  /** A thread with files of every kind. Tests that change files start threads of their own. */
  samples(): DeskThread;
  /** Its page, one for all tests, with the tree in front and no problem so far. */
  openSamples(): Promise<{ desk: DeskPage; panel: Locator }>;
}

/** A thread's page for one test. */
export async function openThread(
  thread: DeskThread,
  panel: PanelTitle,
): Promise<{ desk: DeskPage; panel: Locator }> {
  const opened = await thread.open(panel);
  onTestFinished(() => opened.desk.close());
  return opened;
}

export function fileRow(panel: Locator, name: string): Locator {
  const named = panel.page().locator(".tree-name").getByText(name, { exact: true });
  return panel.getByRole("treeitem").filter({ has: named });
}

/** Opens a file of the tree, and gives the part of the panel that shows it. */
export async function openFile(panel: Locator, name: string): Promise<Locator> {
  await fileRow(panel, name).click();
  const view = panel.getByRole("region", { name, exact: true });
  await view.waitFor();
  return view;
}

export async function chooseAction(page: Page, panel: Locator, name: string, action: string): Promise<void> {
  await fileRow(panel, name).hover();
  await panel.getByRole("button", { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole("menuitem", { name: action, exact: true }).click();
}

/** The text in the editor of a view. */
export async function editorText(view: Locator): Promise<string> {
  const lines = await view.locator(".cm-line").allInnerTexts();
  return lines.join("\n");
}
