import type { NetworkPolicy } from "@atoll/sandbox";
import type { PermissionRule } from "@atoll/toolkit";
import type { LimitChoice } from "../limits/thread-limits.ts";
import type { StoredEvent, ThreadEvent } from "@atoll/protocol";
import type { AgeClock } from "./ages/age-clock.ts";
import type { Damages } from "./damage/damages.ts";
import type { ShareStore } from "./shares/contract.ts";
import type { TrashStore } from "./trash/contract.ts";

/**
 * The one truth of a thread. Nothing is shown to anybody before it is in here. It is read and written on the server that
 * owns the thread (see `Ownership`); of any other thread it knows nothing.
 */
export interface ThreadLog {
  /**
   * Appends in order and resolves when the events are stored. Events of one turn of the event loop are stored together
   * and handed to the readers at once. `isDurable`: also safe from a power cut before it resolves (user messages).
   * Rejects with `not_owner` when another server has taken the thread over, and with `unavailable` when the shared
   * database is away: then nothing of it is stored.
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
  /** Whether anybody follows it at this moment. */
  hasFollowers(threadId: string): boolean;
  /** 0 for an empty log. */
  lastId(threadId: string): number;
  /** Leaves a gap, so that no id that a power cut took back is given a second time. */
  skipIds(threadId: string, count: number): Promise<void>;
  /** Threads of this server that may have been left with a run or a message open. */
  unsettled(): readonly string[];
  /** Nothing waits and nothing runs in this thread. The next message takes that back. */
  settle(threadId: string): Promise<void>;
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
  /** When it happened, of an event that is copied; default: now. */
  readonly at?: string;
}

export interface ReadLogOptions {
  readonly after?: number;
  readonly limit?: number;
  /** Only the last so many of those that match; still oldest first. */
  readonly last?: number;
  readonly types?: readonly ThreadEvent["type"][];
  readonly runId?: string;
}

/** Changes are the owner's: on another server they fail with `not_owner`. Lists and counts are of all threads. */
export interface ThreadStore {
  /** This server is its first owner. */
  create(thread: NewThread): Promise<ThreadRecord>;
  /** Of a thread that this server owns; undefined for any other. */
  get(threadId: string): ThreadRecord | undefined;
  /** Whoever owns it. */
  has(threadId: string): Promise<boolean>;
  /** Latest use first. `before` is the `cursor` of an earlier page. */
  list(options: ListThreadsOptions): Promise<ThreadPage>;
  /** The user's change: a title given here is not replaced by a suggestion. */
  update(threadId: string, change: ThreadChange): Promise<ThreadRecord | undefined>;
  /** False when the user has named the thread: then the title stays. */
  suggestTitle(threadId: string, title: string): Promise<boolean>;
  addFiles(threadId: string, fileIds: readonly string[]): Promise<void>;
  /** By the clock that threads age by (see `AgeClock`), whoever owns it; undefined when there is none. */
  unusedMs(threadId: string): Promise<number | undefined>;
  /** With its log; its followers end. False when there was none. To end its run and sandbox too: `Runner.remove`. */
  remove(threadId: string): Promise<boolean>;
  /** For the search: what a user wrote or was answered. */
  indexText(threadId: string, text: string): Promise<void>;
  count(): Promise<number>;
  /** Of a temporary thread: when it ends, and how much its sandbox holds. */
  noteTemporary(threadId: string, facts: Partial<TemporaryFacts>): Promise<void>;
  /** Temporary threads, whoever owns them, whose end has come; also those whose end is further off than it can be. */
  listExpired(nowMs: number): Promise<readonly string[]>;
}

/** A thread that is removed when nobody has used it for a while. */
export interface TemporaryThread extends TemporaryFacts {
  readonly ttlMs: number;
  /** Of uploads, files in the sandbox and kept copies, together. */
  readonly maxBytes: number;
}

export interface TemporaryFacts {
  /** By the clock on the wall, for the next server: never earlier than its true end. */
  readonly expiresAtMs: number;
  /** As it was measured last. */
  readonly sandboxBytes: number;
}

export interface NewThread {
  readonly id: string;
  readonly title?: string;
  readonly settings?: ThreadSettings;
  readonly fileIds: readonly string[];
  readonly parent?: ThreadParent;
  readonly temporary?: TemporaryThread;
}

/** Where a branch comes from. The thread may be gone by now. */
export interface ThreadParent {
  readonly threadId: string;
  readonly messageId: string;
}

export interface ListThreadsOptions {
  readonly limit: number;
  readonly before?: string;
  readonly query?: string;
  /** Default: only those that last. */
  readonly isTemporaryToo?: boolean;
}

export interface ThreadChange {
  readonly title?: string;
  readonly settings?: ThreadSettings;
}

export interface ThreadSettings {
  /** `built-in` or provider:model; absent: the server's. */
  readonly model?: string;
  readonly approvals?: "off" | "on";
  /** Two runtimes, and a router that chooses for each run. From the thread's beginning; absent: the server's runtime. */
  readonly runtime?: "auto";
  /** What its sandbox may reach; absent: the server's. */
  readonly network?: NetworkPolicy;
  /** Of its sandbox, from its next start on; absent: the usual. */
  readonly limits?: LimitChoice;
  /** What tools may do here; after the operator's, so that these count where both fit. */
  readonly approvalRules?: readonly PermissionRule[];
}

export interface ThreadRecord {
  readonly id: string;
  readonly title: string | null;
  readonly settings: ThreadSettings;
  readonly fileIds: readonly string[];
  readonly parent?: ThreadParent;
  readonly temporary?: TemporaryThread;
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
    options: { maxBytes: number; signal?: AbortSignal; isTemporary?: boolean },
  ): Promise<UploadRecord>;
  get(fileId: string): Promise<UploadRecord | undefined>;
  /** The files of a thread in the order in which they were given, also those removed since. */
  ofThread(threadId: string): Promise<readonly UploadRecord[]>;
  /** False when there was none. Threads that use it keep what they have. */
  remove(fileId: string): Promise<boolean>;
  /** Those of the files that no thread uses any more. */
  removeIfUnused(fileIds: readonly string[]): Promise<void>;
  /** Temporary ones that were never given to a thread, or whose thread is gone. */
  removeStale(beforeMs: number): Promise<void>;
  /** Rejects with `damaged` when its content is not what was uploaded. Reads each file once since the start. */
  verify(file: UploadRecord): Promise<void>;
  /** For `datasets`, of a file that is there. Never leaves the process. */
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
  /** The same content for another thread, at no cost where the disk allows. False when it is not there. */
  share(threadId: string, hash: string, otherThreadId: string): Promise<boolean>;
  /** One content. Something that is not there is not an error. */
  remove(threadId: string, hash: string): Promise<void>;
  removeThread(threadId: string): Promise<void>;
}

/** What the server is told while it runs. In a file that only its user can read. */
export interface SettingsStore {
  /** For the server's inside: with the keys. */
  get(): ServerSettings;
  /** For the outside: no key, only which are set. */
  describe(): DescribedSettings;
  /** Null takes a value away, undefined leaves it. Changes of several servers at once are all kept. */
  update(change: SettingsChange): Promise<ServerSettings>;
}

export const keyedProviders = ["openai", "anthropic", "google"] as const;
export type KeyedProvider = (typeof keyedProviders)[number];

export interface ServerSettings {
  /** `built-in` or provider:model. */
  readonly model?: string;
  readonly keys: Readonly<Partial<Record<KeyedProvider, string>>>;
  /** Of an OpenAI-compatible server. */
  readonly baseUrl?: string;
  /** What tools may do in all threads, before the rules of each. */
  readonly approvalRules?: readonly PermissionRule[];
}

export interface SettingsChange {
  readonly model?: string | null | undefined;
  readonly keys?: Readonly<Partial<Record<KeyedProvider, string | null | undefined>>>;
  readonly baseUrl?: string | null | undefined;
  readonly approvalRules?: readonly PermissionRule[] | null | undefined;
}

export interface DescribedSettings {
  readonly model?: string;
  readonly baseUrl?: string;
  readonly approvalRules?: readonly PermissionRule[];
  /** `lastFour` is empty when the key is too short to show a part of it. */
  readonly keys: Readonly<Partial<Record<KeyedProvider, { readonly lastFour: string }>>>;
}

/** Who may write to a thread. With one server that is always this one. */
export interface Ownership {
  /**
   * Makes this server the thread's only writer, whoever it was before, and brings its log here. False when there is no
   * such thread. What the owner before it still tries to append fails with `not_owner`. Of a thread that this server
   * owns already it only asks whether that is still so.
   */
  takeOver(threadId: string): Promise<boolean>;
  /**
   * Stores what is on its way, then forgets the copy of its log; whoever follows it here is ended. The thread stays as
   * it is, with this server as its last owner.
   */
  letGo(threadId: string): Promise<void>;
  /** Whether this server has the thread's log here. Another may have taken it over since, unnoticed until the next write. */
  holds(threadId: string): boolean;
  /** Threads whose last owner was this one and that have a run or a message open. */
  unsettledOf(serverId: string): Promise<readonly string[]>;
  /** Asks whether the threads that are here are still this server's. Those that are not are lost (`onLost`). */
  verify(): Promise<void>;
  /** The servers, dead or alive, that `unsettledOf` has threads of. */
  unsettledOwners(): Promise<readonly string[]>;
}

export interface StoreOptions {
  readonly dataDir: string;
  /** For files of temporary threads. Default: with all others. */
  readonly temporaryDir?: string;
  /** A Postgres that several servers share. Without it: SQLite in the data folder, for one server. */
  readonly databaseUrl?: string;
  /** This server's name among those that share the database; one that no server before it had. */
  readonly serverId?: string;
  /** How long a change waits for a database that is away before it fails with `unavailable`. */
  readonly waitMs?: number;
  /** Before a thread is made, so that nobody else can take it for a thread without an owner. */
  beforeCreate?(threadId: string): Promise<void>;
  /** Another server has taken over a thread that this one believed to own. Its log is no longer here. */
  onLost?(threadId: string): void;
}

/** All that a server keeps, as `openStore` gives it. */
export interface Store {
  readonly ownership: Ownership;
  readonly log: ThreadLog;
  readonly threads: ThreadStore;
  readonly trash: TrashStore;
  readonly ages: Pick<AgeClock, "advance">;
  readonly uploads: UploadStore;
  readonly blobs: BlobStore;
  readonly shares: ShareStore;
  readonly settings: SettingsStore;
  /** 32 random bytes to sign addresses with; the same after a restart. */
  readonly secret: Uint8Array;
  /** What was found damaged, or lost, since the start. */
  readonly damages: Pick<Damages, "list">;
  /** False when acknowledged changes are missing: then nothing may be taken for the file of an unknown thread. */
  readonly isWhole: boolean;
  /** Rejects when nothing more can be stored. */
  checkWritable(): Promise<void>;
  close(): Promise<void>;
}
