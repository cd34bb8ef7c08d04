import type { Locator } from "playwright-core";
import type { AppPage } from "../../support/ui/app-page.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";

/** Starts code in the shown thread and returns its answer, which may still run. */
export async function startCode(ui: UiHarness, app: AppPage, code: string): Promise<Locator> {
  const { message_id: id } = await ui.request("POST", `/thread/${app.threadId}/code`, { code });
  return app.page.locator(`.answer[data-message="${String(id)}"]`);
}

export async function runCode(ui: UiHarness, app: AppPage, code: string): Promise<Locator> {
  const answer = await startCode(ui, app, code);
  await answer.locator(".answer-foot").waitFor();
  return answer;
}
