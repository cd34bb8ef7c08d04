import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { CDPSession, Page } from "playwright-core";
import type { Browser } from "./browser.ts";
import { viewport } from "./chromium/flags.ts";
import type { TabInfo } from "./page/tabs.ts";

export interface ScreenFrame {
  /** In base64. */
  readonly jpeg: string;
  /** Of the page's own pixels, in which input is given. */
  readonly width: number;
  readonly height: number;
  readonly tabs: readonly TabInfo[];
}

/** Ten a second are enough to watch. */
const LEAST_INTERVAL_MS = 100;
const TITLE_INTERVAL_MS = 500;
const MAX_FRAME_CHARS = 4 * 1024 * 1024;

/**
 * Shows the page in front, whichever it is, until the signal aborts or the browser ends. The next frame is asked for when
 * the last was taken: a slow reader gets fewer. The browser does not rest meanwhile.
 */
export async function watchScreen(
  browser: Browser,
  onFrame: (frame: ScreenFrame) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const end = browser.keepAwake();
  try {
    while (!signal.aborted && browser.isConnected) {
      const changed = new AbortController();
      const forget = browser.tabs.onChange(() => changed.abort());
      const page = await browser.tabs.current();
      page.once("close", () => changed.abort());
      await watchPage(page, browser, onFrame, AbortSignal.any([signal, changed.signal])).finally(forget);
    }
  } finally {
    end();
  }
}

async function watchPage(
  page: Page,
  browser: Browser,
  onFrame: (frame: ScreenFrame) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const over = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => over.resolve(), { once: true });
  let shown: ScreenFrame | undefined;
  const show = async (frame: ScreenFrame) => {
    shown = frame;
    if (frame.jpeg.length <= MAX_FRAME_CHARS && !signal.aborted) await onFrame(frame);
  };
  session.on("Page.screencastFrame", ({ data: jpeg, metadata, sessionId }) => {
    const take = async () => {
      const { deviceWidth: width, deviceHeight: height } = metadata;
      await show({ jpeg, width, height, tabs: await browser.tabs.list() });
      await sleep(LEAST_INTERVAL_MS, undefined, { signal });
      await session.send("Page.screencastFrameAck", { sessionId });
    };
    // The page or its reader is gone.
    take().catch(() => over.resolve());
  });
  // Chromium sends no frame for a title that changes and nothing else, and says nothing of it.
  const followTitles = async () => {
    for (;;) {
      await sleep(TITLE_INTERVAL_MS, undefined, { signal });
      const before = shown;
      const tabs = await browser.tabs.list();
      if (before && before === shown && !isDeepStrictEqual(tabs, before.tabs))
        await show({ ...before, tabs });
    }
  };
  if (!signal.aborted) {
    await start(session);
    followTitles().catch(() => over.resolve());
    await over.promise;
  }
  await session.detach().catch(() => {});
}

async function start(session: CDPSession): Promise<void> {
  await session.send("Page.startScreencast", {
    format: "jpeg",
    quality: 60,
    maxWidth: viewport.width,
    maxHeight: viewport.height,
  });
}
