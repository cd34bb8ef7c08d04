import type { Locator } from "playwright-core";
import type { AppPage } from "../../support/ui/app-page.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";

/** Runs code in the thread that is shown. What is returned is the answer with its card, which may not be over yet. */
export async function startCode(ui: UiHarness, app: AppPage, code: string): Promise<Locator> {
  const { message_id: id } = await ui.request("POST", `/thread/${app.threadId}/code`, { code });
  return app.page.locator(`.answer[data-message="${String(id)}"]`);
}

export async function runCode(ui: UiHarness, app: AppPage, code: string): Promise<Locator> {
  const answer = await startCode(ui, app, code);
  await answer.locator(".answer-foot").waitFor();
  return answer;
}
