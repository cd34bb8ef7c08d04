import { AtollError } from "@atoll/sandbox";
import type {
  ListThreadsOptions,
  NewThread,
  TemporaryFacts,
  ThreadChange,
  ThreadPage,
  ThreadRecord,
  ThreadStore,
} from "../contract.ts";
import type { Database } from "../database.ts";
import { cleanText } from "./clean-text.ts";
import { cutPage, readCursor } from "./cursor.ts";
import type { LogSweep } from "./log-sweep.ts";
import { ThreadSearch } from "./search.ts";
import { ThreadTable, toRecord } from "./thread-table.ts";

export class SqliteThreadStore implements ThreadStore {
  readonly #database: Database;
  readonly #table: ThreadTable;
  readonly #search: ThreadSearch;
  readonly #sweep: LogSweep;
  readonly #onRemoved: (threadId: string) => void;

  constructor(database: Database, sweep: LogSweep, onRemoved: (threadId: string) => void) {
    this.#database = database;
    this.#table = new ThreadTable(database);
    this.#search = new ThreadSearch(database);
    this.#sweep = sweep;
    this.#onRemoved = onRemoved;
  }

  async create(thread: NewThread): Promise<ThreadRecord> {
    const now = Date.now();
    this.#database.transact(
      () => {
        if (this.get(thread.id)) throw new AtollError("already_exists", "There is a thread with this id.");
        const state = { isTitledByUser: thread.title !== undefined, createdAt: now, usedAt: now };
        this.#table.insert(cleanTitle(thread), state);
      },
      { isDurable: true },
    );
    const stored = this.get(thread.id);
    if (stored === undefined) throw new AtollError("internal", "The thread was not stored.");
    return stored;
  }

  get(threadId: string): ThreadRecord | undefined {
    return this.#table.find(threadId);
  }

  async has(threadId: string): Promise<boolean> {
    return this.#table.findKey(threadId) !== undefined;
  }

  async list(options: ListThreadsOptions): Promise<ThreadPage> {
    const matching = this.#search.condition(options.query ?? "");
    const lasting = options.isTemporaryToo ? "" : "AND expires_at IS NULL";
    const condition = { ...matching, sql: `${lasting} ${matching.sql}` };
    const rows = this.#table.list(readCursor(options.before), condition, options.limit + 1);
    const { page, ...next } = cutPage(rows, options.limit);
    const threads = page.map((row) => {
      const snippet = this.#search.findSnippet(row.key, matching.terms);
      return { ...toRecord(row), snippet };
    });
    return { threads, ...next };
  }

  async update(threadId: string, change: ThreadChange): Promise<ThreadRecord | undefined> {
    this.#database.transact(
      () => {
        if (change.title !== undefined)
          this.#table.setTitle(threadId, cleanText(change.title), { isByUser: true });
        if (change.settings !== undefined) this.#table.setSettings(threadId, change.settings);
      },
      { isDurable: true },
    );
    return this.get(threadId);
  }

  async suggestTitle(threadId: string, title: string): Promise<boolean> {
    return this.#database.transact(() =>
      this.#table.setTitle(threadId, cleanText(title), { isByUser: false }),
    );
  }

  async addFiles(threadId: string, fileIds: readonly string[]): Promise<void> {
    this.#database.transact(
      () => {
        const key = this.#table.findKey(threadId);
        if (key === undefined) throw new AtollError("not_found", "There is no such thread.");
        this.#table.insertFiles(key, fileIds);
      },
      { isDurable: true },
    );
  }

  async remove(threadId: string): Promise<boolean> {
    const key = this.#table.findKey(threadId);
    if (key === undefined) return false;
    this.#database.transact(() => this.#table.remove(key), { isDurable: true });
    this.#onRemoved(threadId);
    this.#sweep.add(key);
    return true;
  }

  async indexText(threadId: string, text: string): Promise<void> {
    const key = this.#table.findKey(threadId);
    if (key !== undefined) this.#search.add(key, text);
  }

  async count(): Promise<number> {
    return this.#table.count();
  }

  async noteTemporary(threadId: string, facts: Partial<TemporaryFacts>): Promise<void> {
    this.#database.transact(() => this.#table.setTemporary(threadId, facts));
  }

  async unusedMs(threadId: string): Promise<number | undefined> {
    return this.#table.unusedMs(threadId);
  }

  /** All that have something here, also those in the trash. */
  ids(): ReadonlySet<string> {
    return this.#table.ids();
  }

  async listExpired(nowMs: number): Promise<readonly string[]> {
    return this.#table.listExpired(nowMs);
  }
}

export function cleanTitle(thread: NewThread): NewThread {
  return thread.title === undefined ? thread : { ...thread, title: cleanText(thread.title) };
}
