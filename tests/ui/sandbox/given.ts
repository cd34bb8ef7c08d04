import type { NewThread } from "@atoll/client";
import type { Locator } from "playwright-core";
import { onTestFinished } from "vitest";
import type { DeskPage, View } from "../../support/ui/desk-page.ts";
import { DeskThread, type PanelTitle } from "../../support/ui/desk-thread.ts";
import type { Stage } from "../../support/ui/stage.ts";

export interface Given {
  stage(): Stage;
}

interface Opened {
  readonly thread: DeskThread;
  readonly desk: DeskPage;
  readonly panel: Locator;
}

/** A thread of its own with its page, for one test. */
export async function openNew(
  stage: Stage,
  title: PanelTitle,
  { thread: asked = {}, ...view }: View & { thread?: NewThread } = {},
): Promise<Opened> {
  const thread = await DeskThread.start(stage, asked);
  const { desk, panel } = await thread.open(title, view);
  onTestFinished(() => desk.close());
  return { thread, desk, panel };
}
