import type { Locator } from "playwright-core";
import type { DeskPage } from "../../support/ui/desk-page.ts";
import type { Stage } from "../../support/ui/stage.ts";

/** Runs code in the thread that is shown. What is returned is the answer with its card, which may not be over yet. */
export async function startCode(stage: Stage, desk: DeskPage, code: string): Promise<Locator> {
  const { message_id: id } = await stage.request("POST", `/thread/${desk.threadId}/code`, { code });
  return desk.page.locator(`.answer[data-message="${String(id)}"]`);
}

export async function runCode(stage: Stage, desk: DeskPage, code: string): Promise<Locator> {
  const answer = await startCode(stage, desk, code);
  await answer.locator(".answer-foot").waitFor();
  return answer;
}
