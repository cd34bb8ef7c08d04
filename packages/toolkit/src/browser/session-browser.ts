import { isDeepStrictEqual } from "node:util";
import {
  AtollError,
  type CallOptions,
  type EgressOptions,
  type Limits,
  type Sandbox,
  type SandboxHandle,
} from "@atoll/sandbox";
import { Activity } from "./activity.ts";
import { openBrowserSandbox, removeBrowserFiles } from "./browser-sandbox.ts";
import type { BrowserAccess, Browser } from "./browser.ts";
import { Notes } from "./page/notes.ts";
import { Refusals } from "./page/refusals.ts";
import { type RunningBrowser, startBrowser } from "./start-browser.ts";

export interface SessionBrowserOptions {
  /** Of the browser's own sandbox, in which its profile stays. */
  readonly id: string;
  /** The session's sandbox, awake. Runtime and network policy are its; downloads go there; its ports are `localhost`. */
  sandbox(): Promise<Sandbox>;
  readonly dataDir?: string;
  /** Where its files are looked for when they are removed. Default: as for `Sandbox.list`. */
  readonly runtime?: string;
  /** As the session's. Its credentials are left out: any page could use them. */
  readonly egress?: EgressOptions;
  /** For runtimes with images. Default: `atoll/browser:latest`. */
  readonly image?: string;
  readonly limits?: Partial<Limits>;
  readonly labels?: Readonly<Record<string, string>>;
  /** The browser ends after this time without use; the next use starts it again. Default: 5 minutes. */
  readonly idleMs?: number;
}

interface Living extends RunningBrowser {
  readonly handle: SandboxHandle;
}

const DEFAULT_IDLE_MS = 5 * 60_000;

/** The browser of one session: started by its first use, and again when it has ended since. */
export class SessionBrowser implements BrowserAccess {
  readonly #options: SessionBrowserOptions;
  readonly #notes = new Notes();
  readonly #refusals = new Refusals();
  readonly #activity: Activity;
  readonly #listeners = new Set<() => void>();
  #living: Promise<Living> | undefined;
  #ending: Promise<unknown> = Promise.resolve();
  #wasUsed = false;

  constructor(options: SessionBrowserOptions) {
    this.#options = options;
    this.#activity = new Activity(options.idleMs ?? DEFAULT_IDLE_MS, () => void this.end().catch(() => {}));
  }

  /** The browser, if it runs; does not start it. */
  async running(): Promise<Browser | undefined> {
    const known = await this.#living?.catch(() => undefined);
    return known?.browser.isConnected ? known.browser : undefined;
  }

  /** Calls back when it has started. The returned function ends that. */
  onStart(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async use({ signal }: CallOptions = {}): Promise<Browser> {
    if (signal?.aborted) throw new AtollError("aborted", "the caller gave up");
    const end = this.#activity.begin();
    try {
      return await orAbort(this.#open(), signal);
    } finally {
      end();
    }
  }

  /** Ends its processes. The profile stays. */
  async end(): Promise<void> {
    this.#activity.stop();
    const living = this.#living;
    this.#living = undefined;
    if (living) this.#ending = this.#ending.then(() => endLiving(living));
    await this.#ending;
  }

  /** With its profile. */
  async remove(): Promise<void> {
    await this.end();
    await removeBrowserFiles(this.#options);
  }

  async #open(): Promise<Browser> {
    const before = this.#living;
    const known = await before?.catch(() => undefined);
    if (known && !known.browser.isConnected && this.#living === before) {
      this.#notes.add(
        "The browser had ended by itself and was started anew: its tabs are gone, its cookies are not.",
      );
      await this.end();
    } else if (!this.#living && this.#wasUsed) {
      this.#notes.add("The browser was started anew after a rest: its tabs are gone, its cookies are not.");
    }
    this.#living ??= this.#begin();
    const { browser, handle } = await this.#living;
    this.#wasUsed = true;
    await this.#keepPolicy(handle);
    return browser;
  }

  #begin(): Promise<Living> {
    const living = this.#start();
    living.then(
      () => this.#listeners.forEach((listener) => listener()),
      () => {
        if (this.#living === living) this.#living = undefined;
      },
    );
    return living;
  }

  async #start(): Promise<Living> {
    await this.#ending;
    const { sandbox: session } = this.#options;
    const handle = await openBrowserSandbox({
      ...this.#options,
      session: await session(),
      onTraffic: (traffic) => this.#refusals.note(traffic),
    });
    try {
      const parts = { notes: this.#notes, refusals: this.#refusals, activity: this.#activity };
      return { handle, ...(await startBrowser({ sandbox: handle, session, ...parts })) };
    } catch (error) {
      await handle.destroy({ keepFiles: true });
      throw error;
    }
  }

  /** The session's policy may have changed since. */
  async #keepPolicy(handle: SandboxHandle): Promise<void> {
    const { network = "none" } = (await this.#options.sandbox()).info;
    if (!isDeepStrictEqual(network, handle.info.network ?? "none")) await handle.setNetwork(network);
  }
}

async function endLiving(living: Promise<Living>): Promise<void> {
  const known = await living.catch(() => undefined);
  if (!known) return;
  await known.end().catch(() => {});
  await known.handle.destroy({ keepFiles: true });
}

async function orAbort<Value>(work: Promise<Value>, signal?: AbortSignal): Promise<Value> {
  if (!signal) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(new AtollError("aborted", "the caller gave up"));
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
