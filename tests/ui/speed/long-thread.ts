import { finish, reply, text } from "../../support/scripted-openai/index.ts";
import type { DeskPage } from "../../support/ui/desk-page.ts";
import { runInPage } from "../../support/ui/run-in-page.ts";
import type { Stage } from "../../support/ui/stage.ts";
import { paced, writeTokens } from "./pace.ts";

/** What a person would have felt, in milliseconds. */
export interface Smoothness {
  /** Tasks that held the page up for more than 50 ms. */
  readonly longTasks: readonly number[];
  /** From one frame to the next. */
  readonly frames: readonly number[];
}

/** A thread with at least so many events in its log, all of them from answers of a model. */
export async function makeLongThread(stage: Stage, events: number): Promise<string> {
  const { thread_id: id } = await stage.request("POST", "/thread/new", { model: "openai:scripted" });
  const turns = Math.ceil(events / TOKENS_A_TURN);
  stage.models.always(reply(writeTokens(TOKENS_A_TURN).map(text), finish("stop")));
  for (let at = 0; at < turns; at++)
    await stage.request("POST", `/thread/${String(id)}/message`, { message: `Question ${at + 1}` });
  return String(id);
}

const TOKENS_A_TURN = 250;

/** Lets an answer stream into a page, and watches it meanwhile. */
export async function watchStream(
  stage: Stage,
  desk: DeskPage,
  { tokens, perSecond }: { tokens: number; perSecond: number },
): Promise<Smoothness> {
  stage.models.script(paced(writeTokens(tokens), perSecond));
  await runInPage(desk.page, "smoothness", "beginWatch");
  const answer = await desk.send("Go on");
  await answer.locator(".answer-foot").waitFor({ timeout: 120_000 });
  return runInPage(desk.page, "smoothness", "endWatch");
}

/** The floor of the same: a page that only puts the words of a new thread into the document. */
export async function watchBareStream(
  stage: Stage,
  { tokens, perSecond }: { tokens: number; perSecond: number },
): Promise<Smoothness> {
  const { thread_id: id } = await stage.request("POST", "/thread/new", { model: "openai:scripted" });
  // What is not the page may do nothing at all.
  const context = await stage.browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  await page.goto(`${stage.server.url}/healthz`);
  stage.models.script(paced(writeTokens(tokens), perSecond));
  await runInPage(page, "smoothness", "appendWords", id);
  await runInPage(page, "smoothness", "beginWatch");
  await stage.request("POST", `/thread/${String(id)}/messages`, { message: "Go on" });
  await page.locator("pre.is-done").waitFor({ timeout: 120_000 });
  const seen = await runInPage<Smoothness>(page, "smoothness", "endWatch");
  await context.close();
  return seen;
}

/** From the navigation until the end of the conversation can be read. */
export async function openThread(
  stage: Stage,
  threadId: string,
): Promise<{ desk: DeskPage; openMs: number }> {
  const startedAt = performance.now();
  const desk = await stage.open({ path: `/ui#/thread/${threadId}` });
  await desk.page.locator(".answer-foot").last().waitFor();
  return { desk, openMs: performance.now() - startedAt };
}

export async function scrollToStart({ page }: DeskPage): Promise<Smoothness & { readonly mostRows: number }> {
  await runInPage(page, "smoothness", "beginWatch");
  const { mostRows } = await runInPage<{ mostRows: number }>(page, "smoothness", "scrollToStart");
  return { mostRows, ...(await runInPage<Smoothness>(page, "smoothness", "endWatch")) };
}

/** How long each key took to be seen. */
export async function typeWords({ page, message }: DeskPage, words: string): Promise<readonly number[]> {
  await runInPage(page, "smoothness", "watchKeys");
  await message.pressSequentially(words);
  return runInPage(page, "smoothness", "readKeys");
}
