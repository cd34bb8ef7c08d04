import type { Locator, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import type { AppPage } from "../../support/ui/app-page.ts";
import type { TestThread, PanelTitle } from "../../support/ui/test-thread.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";

/** What all parts of the suite share, created once. */
export interface FilesHarness {
  ui(): UiHarness;
  /** A thread with files of every kind. Tests that change files start their own threads. */
  samples(): TestThread;
  /** Its page, shared by all tests, with the tree in front and no problems recorded. */
  openSamples(): Promise<{ app: AppPage; panel: Locator }>;
}

/** Opens a thread's page for one test. */
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

/** Opens a file from the tree and returns its view. */
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

/** The text in a view's editor. */
export async function editorText(view: Locator): Promise<string> {
  const lines = await view.locator(".cm-line").allInnerTexts();
  return lines.join("\n");
}
