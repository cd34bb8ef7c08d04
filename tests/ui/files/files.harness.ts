import type { Locator, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import type { AppPage } from "../../support/ui/app-page.ts";
import type { TestThread, PanelTitle } from "../../support/ui/test-thread.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";

/** What every part of the suite works with; made once, before the first test. */
export interface FilesHarness {
  ui(): UiHarness;
  /** A thread with files of every kind. Tests that change files start threads of their own. */
  samples(): TestThread;
  /** Its page, one for all tests, with the tree in front and no problem so far. */
  openSamples(): Promise<{ app: AppPage; panel: Locator }>;
}

/** A thread's page for one test. */
export async function openThread(
  thread: TestThread,
  panel: PanelTitle,
): Promise<{ app: AppPage; panel: Locator }> {
  const opened = await thread.open(panel);
  onTestFinished(() => opened.app.close());
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
