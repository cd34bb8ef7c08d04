import { AtollError, type Sandbox } from "@atoll/sandbox";
import { Semaphore } from "@atoll/std";
import { LRUCache } from "lru-cache";
import type { BranchedThread, BranchOptions, Decision, NewMessage, Runner, Submitted } from "./contract.ts";
import { DEFAULT_LIMITS, type Fault, type RunnerContext, type RunnerOptions } from "./options.ts";
import { noSuchThread, type SharedParts, Thread } from "./thread.ts";

/** The threads of this server, by id. A thread's state lives in its `Thread`, nowhere else. */
export class ThreadRegistry implements Runner {
  readonly #context: RunnerContext;
  readonly #parts: SharedParts;
  readonly #threads = new Map<string, Thread>();
  /** The threads used last. A thread that falls out frees what can be read from its log again. */
  readonly #recent = new LRUCache<string, Thread>({
    max: MAX_RECENT,
    dispose: (thread, _, reason) => {
      if (reason === "evict") this.#evict(thread);
    },
  });
  readonly #closing = new AbortController();

  constructor(options: RunnerOptions) {
    this.#context = {
      ...options,
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      reportFault: options.reportFault ?? reportToConsole,
      closing: this.#closing.signal,
    };
    this.#parts = {
      context: this.#context,
      runSlots: new Semaphore(this.#context.limits.maxRunsAtOnce),
      startSlots: new Semaphore(MAX_STARTS),
      onIdle: (thread) => this.#touch(thread),
    };
    options.sandboxes.subscribe((threadId, change) => {
      const thread = change.to === "removed" ? this.#threads.get(threadId) : this.#open(threadId);
      thread?.noteSandboxChange(change);
    });
  }

  async submit(threadId: string, message: NewMessage): Promise<Submitted> {
    if (this.#closing.signal.aborted) throw new AtollError("aborted", "The server is shutting down.");
    return this.#use(this.#require(threadId), ({ queue }) => queue.submit(message));
  }

  async stop(threadId: string, options: { reason?: string } = {}): Promise<boolean> {
    return (await this.#threads.get(threadId)?.queue.stop(options)) ?? false;
  }

  async withdraw(threadId: string, messageId: string): Promise<boolean> {
    return (await this.#threads.get(threadId)?.queue.withdraw(messageId)) ?? false;
  }

  async decide(threadId: string, approvalId: string, decision: Decision): Promise<boolean> {
    return (await this.#threads.get(threadId)?.queue.run?.approvals.decide(approvalId, decision)) ?? false;
  }

  reconsider(threadId: string): void {
    this.#threads.get(threadId)?.queue.run?.approvals.reconsider();
  }

  async waitForDone(
    threadId: string,
    messageId: string,
    signal: AbortSignal,
  ): ReturnType<Runner["waitForDone"]> {
    return this.#use(this.#require(threadId), ({ queue }) => queue.waitForDone(messageId, signal));
  }

  activity(threadId: string): ReturnType<Runner["activity"]> {
    return this.#threads.get(threadId)?.activity() ?? { queued: [], approvals: [] };
  }

  prepare(threadId: string): ReturnType<Runner["prepare"]> {
    return this.#use(this.#open(threadId), (thread) => thread.prepare());
  }

  hasReadFiles(threadId: string): Promise<boolean> {
    return this.#use(
      this.#open(threadId),
      async ({ preparation }) => (await preparation.findData()) !== undefined,
    );
  }

  async openSandbox(threadId: string): Promise<Sandbox> {
    return this.#use(this.#open(threadId), (thread) => thread.openSandbox());
  }

  restartKernel(threadId: string): Promise<void> {
    return this.#use(this.#open(threadId), (thread) => thread.restartKernel());
  }

  interruptKernel(threadId: string): Promise<boolean> {
    return this.#use(this.#open(threadId), (thread) => thread.interruptKernel());
  }

  branch(threadId: string, options: BranchOptions): Promise<BranchedThread> {
    return this.#use(this.#open(threadId), (thread) => thread.branch(options));
  }

  rest(threadId: string): Promise<void> {
    return this.#use(this.#open(threadId), (thread) => thread.suspendSandbox());
  }

  async expire(
    threadId: string,
    unusedMs: number,
    options: { isFinal?: boolean } = {},
  ): ReturnType<Runner["expire"]> {
    const { store, sandboxes } = this.#context;
    if (await store.trash.has(threadId)) return;
    const thread = store.threads.get(threadId);
    if (!thread && !(await store.threads.has(threadId))) return sandboxes.remove(threadId);
    const { runId, queued } = this.activity(threadId);
    const isInUse = runId !== undefined || queued.length > 0 || store.log.hasFollowers(threadId);
    if (!thread || isInUse) return { againAtMs: Date.now() + EXPIRY_RETRY_MS };
    const { graceMs } = await store.ages.advance();
    const unusedSoFarMs = (await store.threads.unusedMs(threadId)) ?? 0;
    const leftMs = Math.max(graceMs, unusedMs - unusedSoFarMs);
    if (leftMs > 0) return { againAtMs: Date.now() + leftMs };
    await (options.isFinal ? this.remove(threadId) : this.trash(threadId));
  }

  remove(threadId: string): Promise<boolean> {
    return this.#takeAway(threadId, (thread) => thread.remove());
  }

  trash(threadId: string): Promise<boolean> {
    return this.#takeAway(threadId, (thread) => thread.trash());
  }

  purge(threadId: string): Promise<boolean> {
    return this.#takeAway(threadId, (thread) => thread.purge());
  }

  restore(threadId: string): Promise<boolean> {
    return this.#use(this.#open(threadId), (thread) => thread.restore());
  }

  async recover(threadId?: string): Promise<void> {
    const { log } = this.#context.store;
    const threadIds = log.unsettled().filter((id) => threadId === undefined || id === threadId);
    const threads = threadIds.map((id) => this.#open(id));
    await Promise.all(threads.map((thread) => this.#use(thread, () => thread.recover())));
    for (const thread of threads) thread.resume();
  }

  isIdle(threadId: string): boolean {
    return this.#threads.get(threadId)?.isIdle ?? true;
  }

  async letGo(threadId: string): Promise<void> {
    const thread = this.#threads.get(threadId);
    await thread?.release();
    if (thread) this.#forget(thread);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#threads.values()].map((thread) => thread.queue.close()));
  }

  /** A thread that is being used knows itself whether it still takes messages. */
  #require(threadId: string): Thread {
    const thread = this.#open(threadId);
    if (thread.isIdle && !this.#context.store.threads.get(threadId)) throw noSuchThread();
    return thread;
  }

  #open(threadId: string): Thread {
    const thread = this.#threads.get(threadId) ?? new Thread(threadId, this.#parts);
    this.#threads.set(threadId, thread);
    this.#touch(thread);
    return thread;
  }

  async #use<Result>(thread: Thread, work: (thread: Thread) => Promise<Result>): Promise<Result> {
    try {
      return await thread.use(work);
    } finally {
      this.#touch(thread);
    }
  }

  #touch(thread: Thread): void {
    if (this.#threads.get(thread.id) === thread) this.#recent.set(thread.id, thread);
  }

  async #takeAway(threadId: string, work: (thread: Thread) => Promise<boolean>): Promise<boolean> {
    const thread = this.#open(threadId);
    try {
      return await this.#use(thread, work);
    } finally {
      if (!thread.isRemoving) this.#forget(thread);
    }
  }

  #forget(thread: Thread): void {
    if (this.#threads.get(thread.id) !== thread) return;
    this.#threads.delete(thread.id);
    this.#recent.delete(thread.id);
  }

  #evict(thread: Thread): void {
    thread.dropCaches();
    if (thread.isDisposable) this.#threads.delete(thread.id);
  }
}

/** Idle threads of which the log's readings are kept in memory. */
const MAX_RECENT = 64;
/** A sandbox that starts and loads its tables cannot be suspended before it is done. */
const MAX_STARTS = 32;
/** When to look again at a thread that is in use when it would expire. */
const EXPIRY_RETRY_MS = 3_600_000;

function reportToConsole({ message, threadId, runId, error }: Fault): void {
  console.error(`atoll: ${message} (thread ${threadId}${runId ? `, ${runId}` : ""})`, error);
}
