import { setTimeout as sleep } from "node:timers/promises";
import type { Page, Request } from "playwright-core";
import { orElse } from "./deadline.ts";
import type { Browser } from "./browser.ts";
import type { Tabs } from "./tabs.ts";

/** For what a page does at once when it is used. */
const reactionMs = 100;
const lookEveryMs = 20;
const tabTimeoutMs = 5000;
const parsedTimeoutMs = 10_000;
const loadedTimeoutMs = 3000;
const requestsTimeoutMs = 2000;
const downloadsTimeoutMs = 5000;

/** Does something with a page, then gives it the time to react: to load another, to fetch what it asks for. */
export async function settle<Result>(
  page: Page,
  { downloads, tabs }: Pick<Browser, "downloads" | "tabs">,
  work: () => Promise<Result>,
): Promise<Result> {
  const open = new Set<Request>();
  let isLeaving = false;
  const onStart = (request: Request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) isLeaving = true;
    if (["document", "xhr", "fetch"].includes(request.resourceType())) open.add(request);
  };
  const onEnd = (request: Request) => open.delete(request);
  page.on("request", onStart).on("requestfinished", onEnd).on("requestfailed", onEnd);
  try {
    const result = await work();
    await sleep(reactionMs);
    if (isLeaving) await waitUntilLoaded(page);
    const until = performance.now() + requestsTimeoutMs;
    while (open.size > 0 && performance.now() < until) await sleep(lookEveryMs);
    await waitForTabs(tabs);
    if (downloads.count > 0) await orElse(undefined, downloads.settled(), downloadsTimeoutMs);
    return result;
  } finally {
    page.off("request", onStart).off("requestfinished", onEnd).off("requestfailed", onEnd);
  }
}

/** As far as it loads in a time that somebody waits. */
async function waitUntilLoaded(page: Page): Promise<void> {
  await page.waitForLoadState("domcontentloaded", { timeout: parsedTimeoutMs }).catch(() => {});
  await page.waitForLoadState("load", { timeout: loadedTimeoutMs }).catch(() => {});
}

async function waitForTabs(tabs: Tabs): Promise<void> {
  const before = tabs.currentId;
  const until = performance.now() + tabTimeoutMs;
  while (!tabs.isComplete && performance.now() < until) await sleep(lookEveryMs);
  if (tabs.currentId !== before) await waitUntilLoaded(await tabs.current());
}
