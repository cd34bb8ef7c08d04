import { finish, reply, text } from "../../support/scripted-openai/index.ts";
import type { AppPage } from "../../support/ui/app-page.ts";
import { runInPage } from "../../support/ui/run-in-page.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { paced, writeTokens } from "./pace.ts";

/** What a user would feel, in milliseconds. */
export interface Smoothness {
  /** Tasks that blocked the page for more than 50 ms. */
  readonly longTasks: readonly number[];
  /** From one frame to the next. */
  readonly frames: readonly number[];
}

/** Creates a thread with at least this many events, all from a model's answers. */
export async function makeLongThread(ui: UiHarness, events: number): Promise<string> {
  const { thread_id: id } = await ui.request("POST", "/thread/new", { model: "openai:scripted" });
  const turns = Math.ceil(events / TOKENS_A_TURN);
  ui.models.always(reply(writeTokens(TOKENS_A_TURN).map(text), finish("stop")));
  for (let at = 0; at < turns; at++)
    await ui.request("POST", `/thread/${String(id)}/message`, { message: `Question ${at + 1}` });
  return String(id);
}

const TOKENS_A_TURN = 250;

/** Streams an answer into the page and measures its smoothness. */
export async function watchStream(
  ui: UiHarness,
  app: AppPage,
  { tokens, perSecond }: { tokens: number; perSecond: number },
): Promise<Smoothness> {
  ui.models.script(paced(writeTokens(tokens), perSecond));
  await runInPage(app.page, "smoothness", "beginWatch");
  const answer = await app.send("Go on");
  await answer.locator(".answer-foot").waitFor({ timeout: 120_000 });
  return runInPage(app.page, "smoothness", "endWatch");
}

/** The floor: a page that only appends the words to the document. */
export async function watchBareStream(
  ui: UiHarness,
  { tokens, perSecond }: { tokens: number; perSecond: number },
): Promise<Smoothness> {
  const { thread_id: id } = await ui.request("POST", "/thread/new", { model: "openai:scripted" });
  // The server forbids scripts on pages other than its own.
  const context = await ui.browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  await page.goto(`${ui.server.url}/healthz`);
  ui.models.script(paced(writeTokens(tokens), perSecond));
  await runInPage(page, "smoothness", "appendWords", id);
  await runInPage(page, "smoothness", "beginWatch");
  await ui.request("POST", `/thread/${String(id)}/messages`, { message: "Go on" });
  await page.locator("pre.is-done").waitFor({ timeout: 120_000 });
  const seen = await runInPage<Smoothness>(page, "smoothness", "endWatch");
  await context.close();
  return seen;
}

/** Opens a thread and measures the time until the end of the conversation is visible. */
export async function openThread(ui: UiHarness, threadId: string): Promise<{ app: AppPage; openMs: number }> {
  const startedAt = performance.now();
  const app = await ui.open({ path: `/ui#/thread/${threadId}` });
  await app.page.locator(".answer-foot").last().waitFor();
  return { app, openMs: performance.now() - startedAt };
}

export async function scrollToStart({ page }: AppPage): Promise<Smoothness & { readonly mostRows: number }> {
  await runInPage(page, "smoothness", "beginWatch");
  const { mostRows } = await runInPage<{ mostRows: number }>(page, "smoothness", "scrollToStart");
  return { mostRows, ...(await runInPage<Smoothness>(page, "smoothness", "endWatch")) };
}

/** How long each key took to show. */
export async function typeWords({ page, message }: AppPage, words: string): Promise<readonly number[]> {
  await runInPage(page, "smoothness", "watchKeys");
  await message.pressSequentially(words);
  return runInPage(page, "smoothness", "readKeys");
}
