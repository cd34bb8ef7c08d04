import type { Locator } from "playwright-core";
import type { Stream } from "../../support/scripted-openai/index.ts";
import type { AppPage } from "../../support/ui/app-page.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";

/** Opens a thread that asks before every call. */
export async function openAsking(ui: UiHarness): Promise<AppPage> {
  const app = await ui.open({ model: "scripted" });
  await ui.request("PATCH", `/thread/${app.threadId}`, { approvals: "on" });
  return app;
}

/** Sends a message and returns the approval card of the model's first call. */
export async function askFirst(
  ui: UiHarness,
  app: AppPage,
  ...replies: readonly Stream[]
): Promise<{ answer: Locator; card: Locator }> {
  ui.models.script(...replies);
  const answer = await app.send("Please do");
  const card = answer.getByRole("group", { name: /Allow this to run\?/ }).first();
  await card.waitFor();
  return { answer, card };
}
