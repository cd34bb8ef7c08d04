import { setTimeout as sleep } from "node:timers/promises";
import type { Frame, Page, Request, Response } from "playwright-core";
import type { Browser } from "../browser.ts";
import { clip, orElse } from "./bounds.ts";
import type { Tabs } from "./tabs.ts";

/** For what a page does at once when it is used. */
const REACTION_MS = 100;
const TURN_TIMEOUT_MS = 1000;
const LOOK_EVERY_MS = 20;
const TAB_TIMEOUT_MS = 5000;
const LEAVE_TIMEOUT_MS = 10_000;
const PARSED_TIMEOUT_MS = 10_000;
const LOADED_TIMEOUT_MS = 3000;
const REQUESTS_TIMEOUT_MS = 2000;
const DOWNLOADS_TIMEOUT_MS = 5000;
const MAX_URL_CHARS = 200;

/** Does something with a page, then gives it the time to react: to load another, to fetch what it asks for. */
export async function settle<Result>(
  page: Page,
  { downloads, notes, tabs }: Pick<Browser, "downloads" | "notes" | "tabs">,
  work: () => Promise<Result>,
): Promise<Result> {
  const traffic = new Traffic(page);
  try {
    const result = await work();
    await sleep(REACTION_MS);
    await takeTurn(page);
    if (traffic.hasLeft) await leave(page, traffic, notes);
    await until(() => traffic.isQuiet, REQUESTS_TIMEOUT_MS);
    await waitForTabs(tabs);
    if (downloads.count > 0) await orElse(undefined, downloads.settled(), DOWNLOADS_TIMEOUT_MS);
    return result;
  } finally {
    traffic.end();
  }
}

/** What a page asks for from now on, another page in its place above all. */
class Traffic {
  readonly #page: Page;
  readonly #open = new Set<Request>();
  #next: Request | undefined;
  hasLeft = false;

  constructor(page: Page) {
    this.#page = page;
    page.on("request", this.#onStart).on("response", this.#onResponse).on("framenavigated", this.#onArrival);
    page.on("requestfinished", this.#onEnd).on("requestfailed", this.#onFailure).on("close", this.#onClose);
  }

  /** Where it is on its way to. Until it is there, the old page stays, loaded as it was. */
  get destination(): string | undefined {
    return this.#next?.url();
  }

  get isQuiet(): boolean {
    return this.#open.size === 0;
  }

  end(): void {
    this.#page.off("request", this.#onStart).off("response", this.#onResponse);
    this.#page.off("framenavigated", this.#onArrival).off("close", this.#onClose);
    this.#page.off("requestfinished", this.#onEnd).off("requestfailed", this.#onFailure);
  }

  readonly #onStart = (request: Request) => {
    if (request.isNavigationRequest() && request.frame() === this.#page.mainFrame()) {
      this.#next = request;
      this.hasLeft = true;
    } else if (["document", "xhr", "fetch"].includes(request.resourceType())) this.#open.add(request);
  };

  readonly #onArrival = (frame: Frame) => {
    if (frame === this.#page.mainFrame()) this.#next = undefined;
  };

  /** There is no page in it: the old one stays where it is. */
  readonly #onResponse = (response: Response) => {
    if (response.request() === this.#next && [204, 205].includes(response.status())) this.#next = undefined;
  };

  readonly #onEnd = (request: Request) => this.#open.delete(request);

  /** So does a download. */
  readonly #onFailure = (request: Request) => {
    this.#open.delete(request);
    if (request === this.#next) this.#next = undefined;
  };

  readonly #onClose = () => {
    this.#open.clear();
    this.#next = undefined;
  };
}

/** What the page had still to do when it was used, such as to send a form, it has begun after this. */
async function takeTurn(page: Page): Promise<void> {
  await orElse(undefined, page.evaluate("new Promise((done) => setTimeout(done))"), TURN_TIMEOUT_MS);
}

async function leave(page: Page, traffic: Traffic, notes: Browser["notes"]): Promise<void> {
  await until(() => traffic.destination === undefined, LEAVE_TIMEOUT_MS);
  if (traffic.destination === undefined) return waitUntilLoaded(page);
  notes.add(
    `Still waiting for ${clip(traffic.destination, MAX_URL_CHARS)}: take a snapshot later to see it.`,
  );
}

/** Waits for the page to load, but not longer than a caller would wait. */
async function waitUntilLoaded(page: Page): Promise<void> {
  await page.waitForLoadState("domcontentloaded", { timeout: PARSED_TIMEOUT_MS }).catch(() => {});
  await page.waitForLoadState("load", { timeout: LOADED_TIMEOUT_MS }).catch(() => {});
}

async function waitForTabs(tabs: Tabs): Promise<void> {
  const before = tabs.currentId;
  await until(() => tabs.isComplete, TAB_TIMEOUT_MS);
  if (tabs.currentId !== before) await waitUntilLoaded(await tabs.current());
}

async function until(isSo: () => boolean, timeoutMs: number): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!isSo() && performance.now() < end) await sleep(LOOK_EVERY_MS);
}
