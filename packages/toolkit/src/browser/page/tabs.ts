import { AtollError } from "@atoll/sandbox";
import type { BrowserContext, Page } from "playwright-core";
import { clip, orElse } from "./bounds.ts";
import type { Dialogs } from "./dialogs.ts";
import type { Downloads } from "./downloads.ts";
import type { Notes } from "./notes.ts";

export interface TabInfo {
  readonly id: number;
  readonly url: string;
  readonly title: string;
  readonly isCurrent: boolean;
}

interface Tab {
  readonly id: number;
  readonly page: Page;
}

export interface TabParts {
  readonly notes: Notes;
  readonly dialogs: Dialogs;
  readonly downloads: Downloads;
}

const MAX_TABS = 20;
const TITLE_TIMEOUT_MS = 3000;
const MAX_URL_CHARS = 500;

/** The pages that are open, popups too, numbered as they came. One of them is in front. */
export class Tabs {
  readonly #context: BrowserContext;
  readonly #parts: TabParts;
  readonly #listeners = new Set<() => void>();
  readonly #coming = new Set<string>();
  #tabs: Tab[] = [];
  #count = 0;
  #currentId = 0;

  constructor(context: BrowserContext, parts: TabParts) {
    this.#context = context;
    this.#parts = parts;
    for (const page of context.pages()) this.#add(page);
    context.on("page", (page) => this.#arrive(page));
  }

  /** The one in front; an empty one where there is none. */
  async current(): Promise<Page> {
    return this.#find(this.#currentId)?.page ?? this.open();
  }

  get currentId(): number {
    return this.#currentId;
  }

  async list(): Promise<TabInfo[]> {
    return Promise.all(
      this.#tabs.map(async ({ id, page }) => ({
        id,
        url: clip(page.url(), MAX_URL_CHARS),
        title: clip(await orElse("", page.title(), TITLE_TIMEOUT_MS), 200),
        isCurrent: id === this.#currentId,
      })),
    );
  }

  async open(): Promise<Page> {
    const page = await this.#context.newPage();
    const tab = this.#tabs.find((one) => one.page === page) ?? this.#add(page);
    this.#putInFront(tab.id);
    return page;
  }

  async select(id: number): Promise<void> {
    const { page } = this.#require(id);
    await page.bringToFront();
    this.#putInFront(id);
  }

  async close(id = this.#currentId): Promise<void> {
    await this.#require(id).page.close({ runBeforeUnload: false });
  }

  /** Calls back when another tab is in front. The returned function ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** One has been opened, and will be here soon. */
  expect(targetId: string): void {
    this.#coming.add(targetId);
  }

  forget(targetId: string): void {
    this.#coming.delete(targetId);
  }

  get isComplete(): boolean {
    return this.#coming.size === 0;
  }

  #arrive(page: Page): void {
    const [first] = this.#coming;
    if (first !== undefined) this.#coming.delete(first);
    if (this.#tabs.some((tab) => tab.page === page)) return;
    if (this.#tabs.length >= MAX_TABS) {
      this.#parts.notes.add(`A page wanted to open more than ${MAX_TABS} tabs: the new one was closed.`);
      return void page.close().catch(() => {});
    }
    const { id } = this.#add(page);
    this.#parts.notes.add(`A new tab was opened: tab ${id}. It is the current one now.`);
    this.#putInFront(id);
  }

  #add(page: Page): Tab {
    const { notes, dialogs, downloads } = this.#parts;
    this.#count += 1;
    const tab = { id: this.#count, page };
    this.#tabs.push(tab);
    if (this.#currentId === 0) this.#currentId = tab.id;
    page.on("dialog", (dialog) => void dialogs.answer(dialog));
    page.on("download", (download) => downloads.take(download));
    page.on("close", () => this.#leave(tab.id));
    page.on("crash", () => {
      notes.add(`The page in tab ${tab.id} crashed: the tab was closed.`);
      this.#leave(tab.id);
      page.close().catch(() => {});
    });
    return tab;
  }

  #leave(id: number): void {
    this.#tabs = this.#tabs.filter((tab) => tab.id !== id);
    if (id !== this.#currentId) return;
    this.#putInFront(this.#tabs.at(-1)?.id ?? 0);
  }

  #putInFront(id: number): void {
    if (id === this.#currentId) return;
    this.#currentId = id;
    for (const listener of this.#listeners) listener();
  }

  #find(id: number): Tab | undefined {
    return this.#tabs.find((tab) => tab.id === id);
  }

  #require(id: number): Tab {
    const tab = this.#find(id);
    if (tab) return tab;
    const open = this.#tabs.map((one) => one.id).join(", ") || "none";
    throw new AtollError("not_found", `there is no tab ${id}; open are: ${open}`);
  }
}
