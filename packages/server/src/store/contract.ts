import type { StoredEvent, ThreadEvent } from "../schemas/events.ts";

/** The one truth of a thread. Nothing is shown to anybody before it is in here. */
export interface ThreadLog {
  /**
   * Appends in order and resolves when the events are stored. Events of one turn of the event loop are stored together
   * and handed to the readers at once. `isDurable`: also safe from a power cut before it resolves (user messages).
   */
  append(
    threadId: string,
    events: readonly NewEvent[],
    options?: { isDurable?: boolean },
  ): Promise<readonly StoredEvent[]>;
  read(threadId: string, options?: ReadLogOptions): readonly StoredEvent[];
  /** Stored events after an id, then those to come, each once, until the signal aborts or the thread is removed. */
  follow(threadId: string, options: FollowOptions): AsyncIterable<StoredEvent>;
  /** The same, as JSON that is made once for all readers. */
  followLines(threadId: string, options: FollowOptions): AsyncIterable<LogLine>;
  /** 0 for an empty log. */
  lastId(threadId: string): number;
  /** Leaves a gap, so that no id that a power cut took back is given a second time. */
  skipIds(threadId: string, count: number): void;
  /** Threads that a server which died may have left with a run or a message open. */
  unsettled(): readonly string[];
  /** Nothing waits and nothing runs in this thread. The next message takes that back. */
  settle(threadId: string): void;
  /** Stores what is waiting. */
  close(): Promise<void>;
}

export interface FollowOptions {
  readonly after: number;
  readonly signal: AbortSignal;
}

/** A stored event as it goes over the wire. One object for all readers. */
export interface LogLine {
  readonly id: number;
  readonly type: ThreadEvent["type"];
  /** The whole `StoredEvent`. */
  readonly json: string;
  /** Parsed on first use. Shared: not to be changed. */
  readonly event: StoredEvent;
}

export interface NewEvent {
  readonly event: ThreadEvent;
  readonly runId?: string;
}

export interface ReadLogOptions {
  readonly after?: number;
  readonly limit?: number;
  /** Only the last so many of those that match; still oldest first. */
  readonly last?: number;
  readonly types?: readonly ThreadEvent["type"][];
  readonly runId?: string;
}

export interface ThreadStore {
  create(thread: {
    id: string;
    title?: string;
    settings?: ThreadSettings;
    fileIds: readonly string[];
  }): ThreadRecord;
  get(threadId: string): ThreadRecord | undefined;
  /** Latest use first. `before` is the `cursor` of an earlier page. */
  list(options: { limit: number; before?: string; query?: string }): ThreadPage;
  /** The user's change: a title given here is not replaced by a suggestion. */
  update(threadId: string, change: { title?: string; settings?: ThreadSettings }): ThreadRecord | undefined;
  /** False when the user has named the thread: then the title stays. */
  suggestTitle(threadId: string, title: string): boolean;
  addFiles(threadId: string, fileIds: readonly string[]): void;
  /** With its log; its followers end. False when there was none. To end its run and sandbox too: `Runner.remove`. */
  remove(threadId: string): boolean;
  /** For the search: what a user wrote or was answered. */
  indexText(threadId: string, text: string): void;
  count(): number;
}

export interface ThreadSettings {
  /** `built-in` or provider:model; absent: the server's. */
  readonly model?: string;
  readonly approvals?: "off" | "on";
}

export interface ThreadRecord {
  readonly id: string;
  readonly title: string | null;
  readonly settings: ThreadSettings;
  readonly fileIds: readonly string[];
  readonly messageCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface ThreadPage {
  readonly threads: readonly (ThreadRecord & { readonly snippet?: string })[];
  readonly cursor?: string;
}

export interface UploadStore {
  /** Streams to disk; the file is there in whole, or not at all. */
  receive(
    name: string,
    content: AsyncIterable<Uint8Array>,
    options: { maxBytes: number; signal?: AbortSignal },
  ): Promise<UploadRecord>;
  get(fileId: string): UploadRecord | undefined;
  /** The files of a thread in the order in which they were given, also those removed since. */
  ofThread(threadId: string): readonly UploadRecord[];
  /** False when there was none. Threads that use it keep what they have. */
  remove(fileId: string): Promise<boolean>;
  /** For `datasets`. Never leaves the process. */
  hostPath(fileId: string): string;
}

export interface UploadRecord {
  readonly fileId: string;
  /** Safe as a file name: no folder, no control characters, at most 200 bytes. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly createdAt: string;
}

/** Images and artifacts of a thread, by the hash of their content. */
export interface BlobStore {
  put(threadId: string, content: Uint8Array): string;
  /** Undefined, and nothing kept, when it is longer than `maxBytes` or not what `expectedHash` says. */
  putStream(
    threadId: string,
    content: AsyncIterable<Uint8Array>,
    options: { maxBytes: number; expectedHash?: string },
  ): Promise<string | undefined>;
  stat(threadId: string, hash: string): { sizeBytes: number } | undefined;
  /** By all that is kept of the thread. */
  usedBytes(threadId: string): number;
  /** `end` is the last byte, as in HTTP. */
  read(threadId: string, hash: string, range?: { start: number; end: number }): ReadableStream<Uint8Array>;
  removeThread(threadId: string): Promise<void>;
}

/** What the server is told while it runs. In a file that only its user can read. */
export interface SettingsStore {
  /** For the server's inside: with the keys. */
  get(): ServerSettings;
  /** For the outside: no key, only which are set. */
  describe(): DescribedSettings;
  /** Null takes a value away, undefined leaves it. */
  update(change: SettingsChange): ServerSettings;
}

export const keyedProviders = ["openai", "anthropic", "google"] as const;
export type KeyedProvider = (typeof keyedProviders)[number];

export interface ServerSettings {
  /** `built-in` or provider:model. */
  readonly model?: string;
  readonly keys: Readonly<Partial<Record<KeyedProvider, string>>>;
  /** Of an OpenAI-compatible server. */
  readonly baseUrl?: string;
}

export interface SettingsChange {
  readonly model?: string | null | undefined;
  readonly keys?: Readonly<Partial<Record<KeyedProvider, string | null | undefined>>>;
  readonly baseUrl?: string | null | undefined;
}

export interface DescribedSettings {
  readonly model?: string;
  readonly baseUrl?: string;
  /** `lastFour` is empty when the key is too short to show a part of it. */
  readonly keys: Readonly<Partial<Record<KeyedProvider, { readonly lastFour: string }>>>;
}

/** All that a server keeps, as `openStore` gives it. */
export interface Store {
  readonly log: ThreadLog;
  readonly threads: ThreadStore;
  readonly uploads: UploadStore;
  readonly blobs: BlobStore;
  readonly settings: SettingsStore;
  /** 32 random bytes to sign addresses with; the same after a restart. */
  readonly secret: Uint8Array;
  /** Throws when nothing more can be stored. */
  checkWritable(): void;
  close(): Promise<void>;
}
