import { missingChromium } from "../../tests/support/chromium.ts";
import { UiHarness } from "../../tests/support/ui/ui-harness.ts";
import { loadFirst, loadNothing, sumKb } from "../../tests/ui/speed/first-load.ts";
import {
  makeLongThread,
  openThread,
  scrollToStart,
  typeWords,
  watchBareStream,
  watchStream,
} from "../../tests/ui/speed/long-thread.ts";
import type { Findings, Measure } from "../measure.ts";
import { progress } from "../progress.ts";
import { interleave } from "../rounds.ts";
import type { Session } from "../session.ts";

/** The page at /ui in a real browser on this machine, headless and without a graphics card. */
export const page: Measure = {
  name: "page",
  figures: [
    { key: "page_js_kb", label: "scripts of the page's first load, compressed", unit: "kB" },
    { key: "page_kb", label: "scripts and styles of it", unit: "kB", goal: { atMost: 260 } },
    { key: "page_interactive_ms", label: "the page takes a key, from nothing", unit: "ms" },
    { key: "page_floor_ms", label: "an empty page of the same server", unit: "ms" },
    {
      key: "page_long_task_ms",
      label: "long tasks in 10 s at 200 tokens/s, 10,000 events before",
      unit: "ms",
    },
    { key: "page_long_task_floor_ms", label: "the same, words put into an empty page", unit: "ms" },
    { key: "page_stream_frame_ms", label: "a frame while they come", unit: "ms" },
    { key: "page_10k_open_ms", label: "a thread of 10,000 events can be read", unit: "ms" },
    { key: "page_10k_frame_ms", label: "a frame while one scrolls through it", unit: "ms" },
    { key: "page_10k_key_ms", label: "a key is seen in it", unit: "ms" },
  ],
  async run(session) {
    if (missingChromium !== undefined)
      return Object.fromEntries(page.figures.map(({ key }) => [key, { missing: missingChromium ?? "" }]));
    await using ui = await UiHarness.start();
    return { ...(await measureLoads(ui, session)), ...(await measureLongThread(ui, session)) };
  },
};

async function measureLoads({ browser, server }: UiHarness, session: Session): Promise<Findings> {
  const sizes: { js: number; all: number }[] = [];
  const times = await interleave(
    {
      async page_interactive_ms() {
        const { parts, interactiveMs } = await loadFirst(browser, server.url);
        sizes.push({ js: sumKb(parts, ".js"), all: sumKb(parts) });
        return interactiveMs;
      },
      page_floor_ms: () => loadNothing(browser, server.url),
    },
    { rounds: session.rounds(20, 3), signal: session.signal, name: "page" },
  );
  return { ...times, page_js_kb: sizes.map(({ js }) => js), page_kb: sizes.map(({ all }) => all) };
}

async function measureLongThread(ui: UiHarness, session: Session): Promise<Findings> {
  progress.update("page: a thread of 10,000 events");
  const threadId = await makeLongThread(ui, 10_000);
  const stream = { tokens: session.rounds(2000, 400), perSecond: 200 };
  const opens: number[] = [];
  const keys: number[] = [];
  const scrolls: number[] = [];
  const frames: number[] = [];
  const blocked: number[] = [];
  const blockedBare: number[] = [];
  for (let round = 0; round < session.rounds(3, 1); round++) {
    session.signal.throwIfAborted();
    progress.update(`page: round ${round + 1}`);
    const { app, openMs } = await openThread(ui, threadId);
    opens.push(openMs);
    keys.push(...(await typeWords(app, "How does that go on?")));
    const seen = await watchStream(ui, app, stream);
    blocked.push(sum(seen.longTasks));
    frames.push(...seen.frames);
    scrolls.push(...(await scrollToStart(app)).frames);
    await app.close();
    blockedBare.push(sum((await watchBareStream(ui, stream)).longTasks));
  }
  return {
    page_long_task_ms: blocked,
    page_long_task_floor_ms: blockedBare,
    page_stream_frame_ms: frames,
    page_10k_open_ms: opens,
    page_10k_frame_ms: scrolls,
    page_10k_key_ms: keys,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
