import { randomUUID } from "node:crypto";
import { AtollError, type Sandbox } from "@atoll/sandbox";
import type { BranchedThread, Decision, NewMessage, Runner, Submitted } from "../threads/contract.ts";
import { outcome } from "../threads/threads.harness.ts";
import type { StoredEvent, ThreadEvent } from "@atoll/protocol";
import type { Store } from "../store/contract.ts";

/** A runner for tests of the HTTP surface: it writes what a test tells it into the real log. */
export class FakeRunner implements Runner {
  /** What a run says between its start and its end. */
  script: readonly ThreadEvent[] = [{ type: "token", text: "forty-two" }];
  /** Runs begin only when this has resolved. */
  gate: Promise<void> = Promise.resolve();
  sandbox: Sandbox | undefined;
  readonly stopped: string[] = [];
  readonly rested: string[] = [];
  readonly branched: string[] = [];
  readonly restarted: string[] = [];
  readonly decided: ({ approvalId: string } & Decision)[] = [];
  readonly reconsidered: string[] = [];
  readonly waiting = new Set<string>();
  readonly #store: Pick<Store, "log" | "threads" | "trash">;

  constructor(store: Pick<Store, "log" | "threads" | "trash">) {
    this.#store = store;
  }

  async submit(threadId: string, { text, mode = "queue", language }: NewMessage): Promise<Submitted> {
    const messageId = randomUUID();
    const code = language ? ({ kind: "code", language } as const) : {};
    const event = { type: "message", message_id: messageId, role: "user", text, mode, ...code } as const;
    const [stored] = await this.#store.log.append(threadId, [{ event }], { isDurable: true });
    this.waiting.add(messageId);
    void this.#run(threadId, messageId);
    return { messageId, eventId: stored?.id ?? 0, position: 0 };
  }

  async #run(threadId: string, messageId: string): Promise<void> {
    await this.gate;
    if (!this.waiting.delete(messageId)) return;
    const runId = randomUUID();
    const append = (event: ThreadEvent) => this.#store.log.append(threadId, [{ event, runId }]);
    await append({ type: "run_started", run_id: runId, message_id: messageId, model: "built-in" });
    for (const event of this.script) await append(event);
    await append({ ...doneEvent(threadId, runId, messageId), response: textOf(this.script) });
  }

  trash(threadId: string): Promise<boolean> {
    return this.#store.trash.put(threadId);
  }

  restore(threadId: string): Promise<boolean> {
    return this.#store.trash.restore(threadId);
  }

  purge(threadId: string): Promise<boolean> {
    return this.#store.trash.purge(threadId);
  }

  isIdle(): boolean {
    return this.waiting.size === 0;
  }

  async letGo(): Promise<void> {}

  async stop(threadId: string): Promise<boolean> {
    this.stopped.push(threadId);
    return true;
  }

  async withdraw(threadId: string, messageId: string): Promise<boolean> {
    if (!this.waiting.delete(messageId)) return false;
    await this.#store.log.append(threadId, [{ event: { type: "message_removed", message_id: messageId } }]);
    return true;
  }

  async decide(_threadId: string, approvalId: string, decision: Decision): Promise<boolean> {
    if (approvalId !== "waits") return false;
    this.decided.push({ approvalId, ...decision });
    return true;
  }

  reconsider(threadId: string): void {
    this.reconsidered.push(threadId);
  }

  async waitForDone(threadId: string, messageId: string, signal: AbortSignal) {
    for await (const event of this.#store.log.follow(threadId, { after: 0, signal })) {
      if (event.type === "done" && event.message_id === messageId)
        return event as StoredEvent & { type: "done" };
    }
    throw new AtollError("aborted", "the caller gave up");
  }

  activity(_threadId?: string): ReturnType<Runner["activity"]> {
    return { queued: [...this.waiting], approvals: [] };
  }

  async prepare(threadId: string) {
    const data = { tables: [], others: [{ file: "/data/notes.txt", name: "notes.txt", size_bytes: 3 }] };
    await this.#store.log.append(threadId, [{ event: { type: "data", data } }]);
    return { wakeMs: 1 };
  }

  async hasReadFiles(): Promise<boolean> {
    return this.waiting.size === 0;
  }

  async openSandbox(): Promise<Sandbox> {
    if (this.sandbox) return this.sandbox;
    throw new AtollError("runtime_unavailable", "this test has no sandbox");
  }

  async restartKernel(threadId: string): Promise<void> {
    this.restarted.push(threadId);
  }

  async interruptKernel(): Promise<boolean> {
    return false;
  }

  async branch(threadId: string): Promise<BranchedThread> {
    this.branched.push(threadId);
    return { threadId, isExact: true, restored: [], lost: [], missingFiles: [] };
  }

  async rest(threadId: string): Promise<void> {
    this.rested.push(threadId);
  }

  async expire(): Promise<void> {}

  async remove(threadId: string): Promise<boolean> {
    return this.#store.threads.remove(threadId);
  }

  async recover(): Promise<void> {}
  async close(): Promise<void> {}
}

function textOf(script: readonly ThreadEvent[]): string {
  return script.map((event) => (event.type === "token" ? event.text : "")).join("");
}

function doneEvent(threadId: string, runId: string, messageId: string): ThreadEvent & { type: "done" } {
  return { type: "done", thread_id: threadId, run_id: runId, message_id: messageId, ...outcome("") };
}
