import type { NewThread, TemporaryFacts, ThreadChange, ThreadRecord } from "../contract.ts";
import type { Database } from "../database.ts";
import type { EventRow } from "../log/line.ts";
import { LogSweep } from "../threads/log-sweep.ts";
import { ThreadTable, type ThreadState } from "../threads/thread-table.ts";

/** A thread that this server owns, as far as it knows. */
export interface OwnedThread {
  readonly threadId: string;
  /** Of its row in Postgres. */
  readonly key: number;
  /** The fencing token: every batch names it, and a new owner raises it. */
  token: number;
  /** A batch was not acknowledged: some of it may be in Postgres all the same. */
  isInDoubt: boolean;
}

/** The threads that this server owns, with their copies in an SQLite database that lives in memory. */
export class OwnedThreads {
  readonly #copy: Database;
  readonly #table: ThreadTable;
  readonly #sweep: LogSweep;
  readonly #threads = new Map<string, OwnedThread>();
  /** Keys of the copy: a thread that is taken over again does not mix with what is left of its last copy. */
  #lastCopyKey = 0;

  constructor(copy: Database) {
    this.#copy = copy;
    this.#table = new ThreadTable(copy);
    this.#sweep = new LogSweep(copy);
  }

  find(threadId: string): OwnedThread | undefined {
    return this.#threads.get(threadId);
  }

  all(): readonly OwnedThread[] {
    return [...this.#threads.values()];
  }

  read(threadId: string): ThreadRecord | undefined {
    return this.#threads.has(threadId) ? this.#table.find(threadId) : undefined;
  }

  /** Takes the events page by page; `finish` makes the thread visible with all of them. */
  beginCopy(): CopyInProgress {
    const copyKey = ++this.#lastCopyKey;
    return {
      add: (rows) => this.#copy.transact(() => rows.forEach((row) => this.#insertEvent(copyKey, row))),
      finish: (owned, thread, state) => {
        this.#copy.transact(() => this.#table.insert(thread, { ...state, key: copyKey }));
        this.#threads.set(owned.threadId, owned);
      },
      giveUp: () => this.#sweep.add(copyKey),
    };
  }

  change(threadId: string, change: ThreadChange & { isTitledByUser?: boolean }): void {
    this.#copy.transact(() => {
      if (change.title !== undefined)
        this.#table.setTitle(threadId, change.title, { isByUser: change.isTitledByUser ?? true });
      if (change.settings !== undefined) this.#table.setSettings(threadId, change.settings);
    });
  }

  noteTemporary(threadId: string, facts: Partial<TemporaryFacts>): void {
    this.#copy.transact(() => this.#table.setTemporary(threadId, facts));
  }

  addFiles(threadId: string, fileIds: readonly string[]): void {
    const copyKey = this.#table.findKey(threadId);
    if (copyKey !== undefined) this.#copy.transact(() => this.#table.insertFiles(copyKey, fileIds));
  }

  drop(threadId: string): boolean {
    const copyKey = this.#table.findKey(threadId);
    if (copyKey !== undefined) {
      this.#copy.transact(() => this.#table.remove(copyKey));
      this.#sweep.add(copyKey);
    }
    return this.#threads.delete(threadId);
  }

  close(): void {
    this.#sweep.stop();
  }

  /** The counts are in the thread's row already. */
  #insertEvent(copyKey: number, row: EventRow): void {
    this.#copy
      .statement("INSERT INTO events (thread_key, id, type, run_id, at, payload) VALUES (?, ?, ?, ?, ?, ?)")
      .run(copyKey, row.id, row.type, row.run_id, row.at, row.payload);
  }
}

export interface CopyInProgress {
  add(rows: readonly EventRow[]): void;
  finish(owned: OwnedThread, thread: NewThread, state: ThreadState): void;
  giveUp(): void;
}
