import type { Locator } from "playwright-core";
import type { Stream } from "../../support/scripted-openai/index.ts";
import type { DeskPage } from "../../support/ui/desk-page.ts";
import type { Stage } from "../../support/ui/stage.ts";

/** A thread that asks before every call. */
export async function openAsking(stage: Stage): Promise<DeskPage> {
  const desk = await stage.open({ model: "scripted" });
  await stage.request("PATCH", `/thread/${desk.threadId}`, { approvals: "on" });
  return desk;
}

/** What is asked before the first of the model's replies runs. */
export async function askFirst(
  stage: Stage,
  desk: DeskPage,
  ...replies: readonly Stream[]
): Promise<{ answer: Locator; card: Locator }> {
  stage.models.script(...replies);
  const answer = await desk.send("Please do");
  const card = answer.getByRole("group", { name: /May this run\?/ }).first();
  await card.waitFor();
  return { answer, card };
}
