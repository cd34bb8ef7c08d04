import { setTimeout as sleep } from "node:timers/promises";
import { type ScreenFrame, type SessionBrowser, watchScreen } from "@atoll/toolkit";
import type { Channel } from "../sse/channel.ts";
import { makeFrame } from "../sse/frames.ts";
import { toWireTabs } from "./view.ts";

/** Before a view that broke is tried again. */
const pauseMs = 500;

/** Shows a browser as long as somebody looks, and waits for it while it does not run. Never starts it. */
export async function showLive(browser: SessionBrowser, channel: Channel): Promise<void> {
  const { signal } = channel;
  while (!signal.aborted) {
    const started = nextStart(browser, signal);
    const running = await browser.running();
    if (running) await watchScreen(running, (frame) => send(channel, frame), signal).catch(() => {});
    if (signal.aborted) return;
    if (await browser.running()) {
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
      continue;
    }
    channel.send(makeFrame("off", {}));
    await started;
  }
}

/** Waits until the reader has room: Chromium is asked for the next one only then. */
async function send(channel: Channel, { jpeg, width, height, tabs }: ScreenFrame): Promise<void> {
  channel.send(makeFrame("frame", { jpeg, width, height, ...toWireTabs(tabs) }));
  await new Promise<void>((resolve) => setImmediate(resolve));
  await channel.ready();
}

async function nextStart(browser: SessionBrowser, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const forget = browser.onStart(resolve);
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise.finally(forget);
}
