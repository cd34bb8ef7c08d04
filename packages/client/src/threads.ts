import { type FollowOptions, followEvents, streamAnswer } from "./events.ts";
import { createFiles, type Files } from "./files.ts";
import { encodeForm, type NamedFile } from "./form.ts";
import type {
  Answer,
  ApprovalDecision,
  ApprovalList,
  QueuedMessage,
  ArtifactList,
  Branch,
  EventPage,
  History,
  NewBranch,
  NewThread,
  Operations,
  PortList,
  Share,
  ShareList,
  StoredEvent,
  Thread,
  ThreadChange,
  ThreadCreated,
  ThreadData,
  ThreadDataAdded,
  ThreadLeft,
  ThreadList,
  ThreadStatus,
  ThreadTraffic,
  Trash,
} from "./generated.ts";
import { createKernel, type Kernel } from "./kernel.ts";
import { createTables, type Tables } from "./tables.ts";
import { Terminals } from "./terminals.ts";
import type { CallOptions, Transport } from "./transport.ts";

interface SendOptions extends CallOptions {
  mode?: "queue" | "steer";
}

/** Conversations, each with its own sandbox. */
export class Threads {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(thread: NewThread = {}, { signal }: CallOptions = {}): Promise<ThreadCreated> {
    return this.#transport.call("createThread", { body: thread, signal });
  }

  list(query: Operations["listThreads"]["query"] = {}, { signal }: CallOptions = {}): Promise<ThreadList> {
    return this.#transport.call("listThreads", { query, signal });
  }

  get(threadId: string, { signal }: CallOptions = {}): Promise<Thread> {
    return this.#transport.call("getThread", { params: { thread_id: threadId }, signal });
  }

  update(threadId: string, change: ThreadChange, { signal }: CallOptions = {}): Promise<Thread> {
    return this.#transport.call("updateThread", { params: { thread_id: threadId }, body: change, signal });
  }

  /** To the trash; `now`: for good. */
  async remove(threadId: string, { now, ...options }: CallOptions & { now?: boolean } = {}): Promise<void> {
    const query = now === undefined ? {} : { now };
    await this.#transport.call("deleteThread", { params: { thread_id: threadId }, query, ...options });
  }

  /** Threads that were removed and can be taken back. */
  trash({ signal }: CallOptions = {}): Promise<Trash> {
    return this.#transport.call("listTrash", { signal });
  }

  async restore(threadId: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.call("restoreThread", { params: { thread_id: threadId }, signal });
  }

  /** Out of the trash, for good. */
  async purge(threadId: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.call("purgeThread", { params: { thread_id: threadId }, signal });
  }

  /** Waits for the whole answer. Giving up the wait does not end the run: `stop` does. */
  send(threadId: string, message: string, { mode, signal }: SendOptions = {}): Promise<Answer> {
    const body = { message, mode };
    return this.#transport.call("sendMessage", { params: { thread_id: threadId }, body, signal });
  }

  /** Does not wait for the answer: it comes with `events`. */
  queue(threadId: string, message: string, { mode, signal }: SendOptions = {}): Promise<QueuedMessage> {
    const body = { message, mode };
    return this.#transport.call("queueMessage", { params: { thread_id: threadId }, body, signal });
  }

  /** Runs code in the thread's own kernel, without a model. What comes of it comes with `events`. */
  runCode(
    threadId: string,
    code: string,
    { language, signal }: { language?: "python" | "shell" } & CallOptions = {},
  ): Promise<QueuedMessage> {
    const body = { code, language };
    return this.#transport.call("runCode", { params: { thread_id: threadId }, body, signal });
  }

  /** The answer as it comes: every event from the message to its `done`, also across lost connections. */
  stream(threadId: string, message: string, { mode, signal }: SendOptions = {}): AsyncIterable<StoredEvent> {
    return streamAnswer(this.#transport, threadId, { message, mode }, { signal });
  }

  /** The thread's log and what comes, until the signal aborts. */
  events(threadId: string, options: FollowOptions = {}): AsyncIterable<StoredEvent> {
    return followEvents(this.#transport, threadId, options);
  }

  /** One page of what is stored. */
  readEvents(
    threadId: string,
    { signal, ...query }: { after?: number; limit?: number } & CallOptions = {},
  ): Promise<EventPage> {
    return this.#transport.call("followEvents", {
      params: { thread_id: threadId },
      query: { ...query, follow: false },
      signal,
    });
  }

  stop(threadId: string, { signal }: CallOptions = {}): Promise<{ was_running: boolean }> {
    return this.#transport.call("stopRun", { params: { thread_id: threadId }, signal });
  }

  /** Takes back a message that still waits. */
  async withdraw(threadId: string, messageId: string, { signal }: CallOptions = {}): Promise<void> {
    const params = { thread_id: threadId, message_id: messageId };
    await this.#transport.call("withdrawMessage", { params, signal });
  }

  /** Tool calls that wait for a decision. */
  approvals(threadId: string, { signal }: CallOptions = {}): Promise<ApprovalList> {
    return this.#transport.call("listApprovals", { params: { thread_id: threadId }, signal });
  }

  /** The first decision counts: who comes later gets `not_found`. */
  async decide(
    threadId: string,
    approvalId: string,
    decision: "allow" | "deny",
    { signal, ...more }: Omit<ApprovalDecision, "decision"> & CallOptions = {},
  ): Promise<void> {
    await this.#transport.call("decideApproval", {
      params: { thread_id: threadId, approval_id: approvalId },
      body: { decision, ...more },
      signal,
    });
  }

  status(threadId: string, { signal }: CallOptions = {}): Promise<ThreadStatus> {
    return this.#transport.call("getThreadStatus", { params: { thread_id: threadId }, signal });
  }

  /** What its sandbox asked of the network, the newest first. */
  traffic(
    threadId: string,
    { limit, signal }: { limit?: number } & CallOptions = {},
  ): Promise<ThreadTraffic> {
    const query = limit === undefined ? {} : { limit };
    return this.#transport.call("getThreadTraffic", { params: { thread_id: threadId }, query, signal });
  }

  /** Before its next use, so that nobody waits for it then. */
  wake(threadId: string, { signal }: CallOptions = {}): Promise<ThreadStatus> {
    return this.#transport.call("wakeThread", { params: { thread_id: threadId }, signal });
  }

  /** Frees the memory of its sandbox. Files and variables stay. */
  suspend(threadId: string, { signal }: CallOptions = {}): Promise<ThreadStatus> {
    return this.#transport.call("suspendThread", { params: { thread_id: threadId }, signal });
  }

  /** A new thread with all that was there when this message had been answered; `before`: when it was sent. */
  branch(threadId: string, branch: NewBranch, { signal }: CallOptions = {}): Promise<Branch> {
    return this.#transport.call("branchThread", { params: { thread_id: threadId }, body: branch, signal });
  }

  history(threadId: string, { signal }: CallOptions = {}): Promise<History> {
    return this.#transport.call("getHistory", { params: { thread_id: threadId }, signal });
  }

  data(
    threadId: string,
    { language, signal }: { language?: "en" | "zh" } & CallOptions = {},
  ): Promise<ThreadData> {
    const query = language ? { language } : {};
    return this.#transport.call("getThreadData", { params: { thread_id: threadId }, query, signal });
  }

  /** Gives uploaded files to a thread that is there. */
  addData(
    threadId: string,
    fileIds: readonly string[],
    { signal }: CallOptions = {},
  ): Promise<ThreadDataAdded> {
    const body = { file_ids: fileIds };
    return this.#transport.call("addThreadData", { params: { thread_id: threadId }, body, signal });
  }

  artifacts(threadId: string, { ttlS, signal }: { ttlS?: number } & CallOptions = {}): Promise<ArtifactList> {
    const query = ttlS === undefined ? {} : { ttl_s: ttlS };
    return this.#transport.call("listArtifacts", { params: { thread_id: threadId }, query, signal });
  }

  export(
    threadId: string,
    format: "ipynb" | "md" | "json" = "ipynb",
    { signal }: CallOptions = {},
  ): Promise<Response> {
    return this.#transport.send("exportThread", {
      params: { thread_id: threadId },
      query: { format },
      signal,
    });
  }

  /** What programs in its sandbox listen on, and where a browser finds it. */
  ports(threadId: string, { signal }: CallOptions = {}): Promise<PortList> {
    return this.#transport.call("listThreadPorts", { params: { thread_id: threadId }, signal });
  }

  /** A link under which anybody can read the conversation as it is now. Sharing again moves it on. */
  share(threadId: string, { isNew, signal }: { isNew?: boolean } & CallOptions = {}): Promise<Share> {
    const body = isNew === undefined ? {} : { is_new: isNew };
    return this.#transport.call("shareThread", { params: { thread_id: threadId }, body, signal });
  }

  shares(threadId: string, { signal }: CallOptions = {}): Promise<ShareList> {
    return this.#transport.call("listShares", { params: { thread_id: threadId }, signal });
  }

  async unshare(threadId: string, shareId: string, { signal }: CallOptions = {}): Promise<void> {
    const params = { thread_id: threadId, share_id: shareId };
    await this.#transport.call("deleteShare", { params, signal });
  }

  kernel(threadId: string): Kernel {
    return createKernel(this.#transport, threadId);
  }

  tables(threadId: string): Tables {
    return createTables(this.#transport, threadId);
  }

  terminals(threadId: string): Terminals {
    return new Terminals(this.#transport, threadId);
  }

  /** Data for its code, in `/data`. */
  upload(
    threadId: string,
    files: readonly NamedFile[],
    { signal }: CallOptions = {},
  ): Promise<ThreadDataAdded> {
    const { body, headers } = encodeForm(files);
    const params = { thread_id: threadId };
    return this.#transport.call("uploadThreadData", { params, rawBody: body, headers, signal });
  }

  /** Of a temporary thread: unless somebody uses it again soon, it ends. */
  leave(threadId: string, { signal }: CallOptions = {}): Promise<ThreadLeft> {
    return this.#transport.call("leaveThread", { params: { thread_id: threadId }, signal });
  }

  /** The same for a page that is going away: `navigator.sendBeacon(client.threads.leaveUrl(id))`. */
  leaveUrl(threadId: string): string {
    return this.#transport.url("leaveThread", { params: { thread_id: threadId } });
  }

  files(threadId: string): Files {
    return createFiles(this.#transport, "Thread", threadId);
  }
}
