import type { NewThread } from "@atoll/client";
import type { Locator } from "playwright-core";
import { onTestFinished } from "vitest";
import type { AppPage, View } from "../../support/ui/app-page.ts";
import { TestThread, type PanelTitle } from "../../support/ui/test-thread.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";

interface Opened {
  readonly thread: TestThread;
  readonly app: AppPage;
  readonly panel: Locator;
}

/** Opens a new thread for one test. */
export async function openNew(
  ui: UiHarness,
  title: PanelTitle,
  { thread: asked = {}, ...view }: View & { thread?: NewThread } = {},
): Promise<Opened> {
  const thread = await TestThread.start(ui, asked);
  const { app, panel } = await thread.open(title, view);
  onTestFinished(() => app.close());
  return { thread, app, panel };
}
