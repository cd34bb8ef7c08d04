import { join } from "node:path";
import type { AnswerRequest, DataProfile, RunOutcome } from "@atoll/agent";
import type { Woken } from "@atoll/lifecycle";
import type { Sandbox } from "@atoll/sandbox";
import type { StoredEvent } from "../../schemas/events.ts";
import type { Store } from "../../store/contract.ts";
import { openStore } from "../../store/open.ts";
import { type AtEnd, makeDataDir } from "../../store/testing/temporary-store.ts";
import type { Fault, RunnerOptions } from "../options.ts";
import { createRunner, type ThreadRunner } from "../runner.ts";

export type Answer = (request: AnswerRequest) => Promise<RunOutcome>;

/** A runner on a real store, with an agent that follows a script and sandboxes that are not there. */
export interface Bench {
  readonly store: Store;
  readonly runner: ThreadRunner;
  readonly sandboxes: FakeSandboxes;
  readonly faults: Fault[];
  readonly dataDir: string;
  newThread(id?: string, settings?: { approvals?: "on"; model?: string }): string;
  /** Submits and waits for the end. */
  ask(threadId: string, text: string): Promise<StoredEvent & { type: "done" }>;
  types(threadId: string): string[];
  waitFor(threadId: string, type: StoredEvent["type"]): Promise<StoredEvent>;
}

export async function makeBench(
  atEnd: AtEnd,
  answer: Answer,
  options: Partial<RunnerOptions> & { dataDir?: string } = {},
): Promise<Bench> {
  const dataDir = options.dataDir ?? (await makeDataDir(atEnd));
  const store = options.store ? (options.store as Store) : openStore({ dataDir });
  const sandboxes = new FakeSandboxes();
  const faults: Fault[] = [];
  const runner = createRunner({
    sandboxes,
    answer,
    resolveModel: () => ({ kind: "built-in" }),
    loadTables: async (sandbox, { order }) => sandboxes.loadTables(sandbox, order),
    bundledDataset: join(import.meta.dirname, "../../../../../data/transactions.csv"),
    reportFault: (fault) => faults.push(fault),
    ...options,
    store,
  });
  atEnd(async () => {
    await runner.close();
    await store.close();
  });
  let count = 0;
  const never = new AbortController().signal;
  return {
    store,
    runner,
    sandboxes,
    faults,
    dataDir,
    newThread(id = `thread_${count++}`, settings = {}) {
      return store.threads.create({ id, settings, fileIds: [] }).id;
    },
    async ask(threadId, text) {
      const { messageId } = await runner.submit(threadId, { text });
      return runner.waitForDone(threadId, messageId, never);
    },
    types: (threadId) => store.log.read(threadId).map((event) => event.type),
    async waitFor(threadId, type) {
      for await (const event of store.log.follow(threadId, { after: 0, signal: never })) {
        if (event.type === type) return event;
      }
      throw new Error(`the log ended without ${type}`);
    },
  };
}

/** Counts what is asked of it. */
export class FakeSandboxes {
  readonly calls: string[] = [];
  readonly living = new Map<string, string[]>();
  readonly lost: Woken["lost"][number][] = [];
  readonly python = { run: async (_code: string): Promise<object> => ({ kernelRestarted: false }) };
  failure: Error | undefined;
  loadFailure: Error | undefined;
  /** Awaited by every wake. */
  gate: Promise<unknown> = Promise.resolve();

  async wake(threadId: string, options: { datasets?: unknown }): Promise<Woken> {
    this.calls.push(`wake ${threadId}`);
    await this.gate;
    if (this.failure) throw this.failure;
    const from = this.living.has(threadId) ? "hot" : "new";
    if (from === "new") this.living.set(threadId, Object.keys(options.datasets ?? {}));
    const lost = this.lost.splice(0);
    const sandbox = { id: threadId, python: this.python } as unknown as Sandbox;
    return { sandbox, from, wakeMs: 1.4, isFresh: from === "new", lost };
  }

  async loadTables({ id }: Sandbox, order: readonly string[]): Promise<DataProfile> {
    this.calls.push(`load ${id}`);
    if (this.loadFailure) throw this.loadFailure;
    const shown = this.living.get(id) ?? [];
    const others = shown.map((name) => ({ file: `/data/${name}`, name, size_bytes: order.indexOf(name) }));
    return { tables: [], others };
  }

  async rest(threadId: string): Promise<void> {
    this.calls.push(`rest ${threadId}`);
    this.living.delete(threadId);
  }

  async remove(threadId: string): Promise<void> {
    this.calls.push(`remove ${threadId}`);
    this.living.delete(threadId);
  }

  keepAwake(): () => void {
    return () => {};
  }
}

export function outcome(response: string, status: RunOutcome["status"] = "completed"): RunOutcome {
  return {
    status,
    response,
    model: "built-in",
    container_state: "hot",
    openai_calls: 0,
    total_ms: 1,
    timings_ms: {
      ttft: 1,
      ttft_saved: 0,
      sandbox_restore: 0,
      openai_per_call: [],
      openai_total: 0,
      exec_per_call: [],
      exec_total: 0,
      overhead: 0,
    },
    code_runs: [],
  };
}

/** Says the message back, one token a word. */
export const echo: Answer = async (request) => {
  for (const word of request.message.split(" ")) request.emit({ type: "token", text: word });
  return outcome(request.message);
};

/** Says a word, then waits for the stop, as a well-behaved agent does. */
export const untilStopped: Answer = async (request) => {
  request.emit({ type: "token", text: "so far" });
  await new Promise<void>((resolve) => request.signal.addEventListener("abort", () => resolve()));
  return outcome("so far", "stopped");
};
