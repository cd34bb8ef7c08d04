import { AtollError } from "@atoll/sandbox";
import { LRUCache } from "lru-cache";
import type { StoredEvent } from "@atoll/protocol";
import type { FollowOptions, LogLine, NewEvent, ReadLogOptions, ThreadLog } from "../contract.ts";
import type { Database } from "../database.ts";
import { toStorageError } from "../storage-error.ts";
import { Append } from "./batch.ts";
import { Channel, pageLimits } from "./channel.ts";
import { EventTable, type Head } from "./event-table.ts";
import { Line } from "./line.ts";
import { noThread, Placement } from "./placement.ts";
import type { Replica } from "./replica.ts";

/**
 * The log in SQLite. Whatever is appended in one turn of the event loop, in whichever threads, is one transaction, or two
 * where the second has to be durable; only when it is committed do callers and readers hear of it.
 */
export class SqliteThreadLog implements ThreadLog {
  readonly #database: Database;
  readonly #events: EventTable;
  readonly #heads = new LRUCache<string, Head>({ max: maxHeads });
  readonly #channels = new Map<string, Channel>();
  readonly #replica: Replica | undefined;
  #pending: Append[] = [];
  /** One batch at a time is on its way to the replica; ids are given when the one before it has its own. */
  #replicating: Promise<void> | undefined;
  #isClosed = false;

  constructor(database: Database, replica?: Replica) {
    this.#database = database;
    this.#replica = replica;
    this.#events = new EventTable(database);
  }

  async append(
    threadId: string,
    events: readonly NewEvent[],
    options: { isDurable?: boolean } = {},
  ): Promise<readonly StoredEvent[]> {
    return this.#add(makeAppend(threadId, events, options.isDurable ?? false));
  }

  read(threadId: string, options: ReadLogOptions = {}): readonly StoredEvent[] {
    const head = this.#findHead(threadId);
    if (head === undefined) return [];
    const rows = this.#events.read(head.key, options);
    return this.#noteDamage(threadId, () => rows.map((row) => new Line(threadId, row).event));
  }

  async *follow(threadId: string, options: FollowOptions): AsyncIterable<StoredEvent> {
    for await (const line of this.followLines(threadId, options)) yield line.event;
  }

  async *followLines(threadId: string, { after, signal }: FollowOptions): AsyncIterable<LogLine> {
    const head = this.#findHead(threadId);
    if (head === undefined || this.#isClosed) return;
    const channel = this.#openChannel(threadId, head);
    const reader = channel.join();
    const wake = () => reader.wake();
    signal.addEventListener("abort", wake);
    // An id from beyond the end must not hide what comes next.
    let last = Math.min(after, head.lastId);
    try {
      while (!signal.aborted && !channel.isEnded) {
        const page = channel.after(last) ?? this.#readPage(threadId, head.key, last);
        if (page.length === 0) await reader.wait();
        for (const line of page) {
          if (signal.aborted || channel.isEnded) return;
          last = line.id;
          yield line;
        }
      }
    } finally {
      signal.removeEventListener("abort", wake);
      channel.leave(reader);
      if (channel.isUnused && this.#channels.get(threadId) === channel) this.#channels.delete(threadId);
    }
  }

  hasFollowers(threadId: string): boolean {
    return this.#channels.has(threadId);
  }

  lastId(threadId: string): number {
    return this.#findHead(threadId)?.lastId ?? 0;
  }

  async skipIds(threadId: string, count: number): Promise<void> {
    await this.#add(new Append(threadId, [], { effect: { skipsIds: count } }));
  }

  unsettled(): readonly string[] {
    return this.#events.unsettled();
  }

  async settle(threadId: string): Promise<void> {
    await this.#add(new Append(threadId, [], { effect: { settles: true } }));
  }

  /** The thread is gone: its followers end and what is on its way to it is refused. */
  forget(threadId: string): void {
    this.#heads.delete(threadId);
    this.#channels.get(threadId)?.end();
    this.#channels.delete(threadId);
  }

  /** Resolves when all that was appended to the thread so far is stored or refused; rejects if this would be too. */
  async reach(threadId: string): Promise<void> {
    await this.#add(new Append(threadId, []));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#pending.length > 0 || this.#replicating) {
      this.#flush();
      await this.#replicating;
    }
    for (const channel of this.#channels.values()) channel.end();
    this.#channels.clear();
  }

  #add(append: Append): Promise<readonly StoredEvent[]> {
    if (this.#isClosed) throw new AtollError("aborted", "The server is shutting down.");
    if (this.#pending.length === 0) setImmediate(() => this.#flush());
    this.#pending.push(append);
    return append.stored;
  }

  #flush(): void {
    if (this.#pending.length === 0 || this.#replicating) return;
    const batch = this.#takeBatch();
    const placement = new Placement((threadId) => this.#findHead(threadId));
    for (const append of batch) placement.add(append);
    if (this.#replica === undefined) return this.#commit(batch, placement);
    this.#replicating = this.#replica
      .store(batch, placement.sumUp())
      .catch((error: unknown) => refuseAll(batch, error))
      .then(() => {
        this.#replicating = undefined;
        this.#commit(batch, placement);
        this.#flush();
      });
  }

  /** A token does not wait for the disk that a `done` behind it has to reach. */
  #takeBatch(): Append[] {
    const durableAt = this.#replica ? -1 : this.#pending.findIndex((append) => append.isDurable);
    const batch = this.#pending.splice(0, durableAt > 0 ? durableAt : this.#pending.length);
    if (this.#pending.length > 0) setImmediate(() => this.#flush());
    return batch;
  }

  #commit(batch: readonly Append[], placement: Placement): void {
    try {
      const isDurable = batch.some((append) => append.isDurable);
      this.#database.transact(() => batch.forEach((append) => this.#store(append, placement)), { isDurable });
    } catch (error) {
      refuseAll(batch, error);
    }
    const stored = batch.filter((append) => append.refusal === undefined);
    // Ids are given for good only now: a failed batch leaves no hole.
    for (const { threadId, head, appends } of placement.threads)
      if (appends.some((append) => append.refusal === undefined)) this.#heads.set(threadId, head);
    for (const append of stored) this.#channels.get(append.threadId)?.publish(append.lines);
    for (const append of batch) append.settle();
  }

  #store(append: Append, placement: Placement): void {
    if (append.refusal) return;
    const { threadId, placed, effect } = append;
    const head = placement.headOf(threadId);
    // It may have been removed while the batch was on its way.
    if (head === undefined || this.#findHead(threadId)?.key !== head.key) {
      append.refusal = noThread();
      return;
    }
    for (const row of placed) this.#events.insert(head.key, row);
    if (effect.skipsIds !== undefined) this.#events.skipTo(head.key, head.lastId);
    if (effect.settles) this.#events.settle(threadId);
    append.lines = placed.map((row) => new Line(threadId, row));
  }

  #readPage(threadId: string, key: number, after: number): readonly LogLine[] {
    const rows = this.#events.page(key, after, pageLimits);
    return this.#noteDamage(threadId, () => rows.map((row) => new Line(threadId, row)));
  }

  #noteDamage<Lines>(threadId: string, read: () => Lines): Lines {
    try {
      return read();
    } catch (error) {
      throw this.#database.noteDamage(error, threadId);
    }
  }

  #openChannel(threadId: string, head: Head): Channel {
    let channel = this.#channels.get(threadId);
    if (channel === undefined) {
      channel = new Channel(head.lastId);
      this.#channels.set(threadId, channel);
    }
    return channel;
  }

  #findHead(threadId: string): Head | undefined {
    const known = this.#heads.get(threadId);
    if (known !== undefined) return known;
    const head = this.#events.findHead(threadId);
    if (head !== undefined) this.#heads.set(threadId, head);
    return head;
  }
}

const maxHeads = 10_000;

function refuseAll(batch: readonly Append[], error: unknown): void {
  for (const append of batch) append.refusal ??= toStorageError(error);
}

function makeAppend(threadId: string, events: readonly NewEvent[], isDurable: boolean): Append {
  try {
    return new Append(threadId, events, { isDurable });
  } catch (cause) {
    throw new AtollError("internal", "An event could not be written down.", { cause });
  }
}
