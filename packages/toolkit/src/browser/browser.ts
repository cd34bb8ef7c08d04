import { AtollError, type CallOptions } from "@atoll/sandbox";
import type { Browser as Connection, Page } from "playwright-core";
import type { Activity } from "./activity.ts";
import { toAtollError } from "./fault.ts";
import type { Dialogs } from "./page/dialogs.ts";
import type { Downloads } from "./page/downloads.ts";
import type { Notes } from "./page/notes.ts";
import { References } from "./page/references.ts";
import type { Refusals } from "./page/refusals.ts";
import type { Tabs } from "./page/tabs.ts";

export interface BrowserParts {
  readonly connection: Connection;
  readonly tabs: Tabs;
  readonly notes: Notes;
  readonly dialogs: Dialogs;
  readonly downloads: Downloads;
  readonly refusals: Refusals;
  readonly activity: Activity;
}

/** Pages in a Chromium that runs in a sandbox of its own. */
export class Browser {
  readonly id: string;
  readonly tabs: Tabs;
  readonly notes: Notes;
  readonly dialogs: Dialogs;
  readonly downloads: Downloads;
  readonly refusals: Refusals;
  readonly references = new References();
  readonly #connection: Connection;
  readonly #activity: Activity;

  constructor(id: string, parts: BrowserParts) {
    this.id = id;
    this.tabs = parts.tabs;
    this.notes = parts.notes;
    this.dialogs = parts.dialogs;
    this.downloads = parts.downloads;
    this.refusals = parts.refusals;
    this.#connection = parts.connection;
    this.#activity = parts.activity;
  }

  get isConnected(): boolean {
    return this.#connection.isConnected();
  }

  /** Does something with the page in front. Every failure is an AtollError; an abort ends it at once. */
  async act<Result>(
    work: (page: Page, signal: AbortSignal) => Promise<Result>,
    { signal = new AbortController().signal }: CallOptions = {},
  ): Promise<Result> {
    const end = this.#activity.begin();
    const given = Promise.withResolvers<never>();
    const onAbort = () => given.reject(new AtollError("aborted", "the caller gave up"));
    try {
      signal.addEventListener("abort", onAbort, { once: true });
      if (signal.aborted) onAbort();
      return await Promise.race([given.promise, this.#work(work, signal)]);
    } catch (error) {
      throw toAtollError(error, signal);
    } finally {
      signal.removeEventListener("abort", onAbort);
      end();
    }
  }

  /** Keeps the browser from idling out until the returned function is called. */
  keepAwake(): () => void {
    return this.#activity.begin();
  }

  async #work<Result>(
    work: (page: Page, signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    signal.throwIfAborted();
    return work(await this.tabs.current(), signal);
  }
}

/** The way to a session's browser. */
export interface BrowserAccess {
  /** The browser of this session; the first use starts it. Fails with `not_supported` where it cannot. */
  use(options: CallOptions): Promise<Browser>;
}
