import { join } from "node:path";
import type { AnswerRequest } from "@atoll/agent";
import type { BranchResult, Checkpoint, StateChange, StateListener, WakeResult } from "@atoll/lifecycle";
import type { DataProfile, RunOutcome, StoredEvent } from "@atoll/protocol";
import type { Sandbox } from "@atoll/sandbox";
import type { Store, ThreadSettings } from "../store/contract.ts";
import { openStore } from "../store/open.ts";
import { type AtEnd, makeDataDir } from "../store/temporary-store.harness.ts";
import type { Fault, RunnerOptions } from "./options.ts";
import { ThreadRegistry } from "./registry.ts";

export type Answer = (request: AnswerRequest) => Promise<RunOutcome>;

/** A runner on a real store, with an agent that follows a script and sandboxes that are not there. */
export interface Harness {
  readonly store: Store;
  readonly runner: ThreadRegistry;
  readonly sandboxes: FakeSandboxes;
  readonly faults: Fault[];
  readonly dataDir: string;
  newThread(id?: string, settings?: ThreadSettings): Promise<string>;
  /** Submits and waits for the end. */
  ask(threadId: string, text: string): Promise<StoredEvent & { type: "done" }>;
  types(threadId: string): string[];
  waitFor(threadId: string, type: StoredEvent["type"]): Promise<StoredEvent>;
}

export async function makeHarness(
  atEnd: AtEnd,
  answer: Answer,
  options: Partial<RunnerOptions> & { dataDir?: string } = {},
): Promise<Harness> {
  const dataDir = options.dataDir ?? (await makeDataDir(atEnd));
  const store = options.store ? (options.store as Store) : await openStore({ dataDir });
  const sandboxes = new FakeSandboxes();
  const faults: Fault[] = [];
  const runner = new ThreadRegistry({
    sandboxes,
    answer,
    resolveModel: () => ({ kind: "built-in" }),
    loadTables: async (sandbox, { order }) => sandboxes.loadTables(sandbox, order),
    bundledDataset: join(import.meta.dirname, "../../../../data/transactions.csv"),
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
    async newThread(id = `thread_${count++}`, settings = {}) {
      return (await store.threads.create({ id, settings, fileIds: [] })).id;
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
  readonly lost: WakeResult["lost"][number][] = [];
  readonly python = {
    run: async (_code: string): Promise<object> => ({ kernelRestarted: false }),
    restart: async (): Promise<void> => {},
    contexts: async (): Promise<object[]> => [{ name: "default", isBusy: true }],
    interrupt: async (): Promise<void> => {},
  };
  failure: Error | undefined;
  loadFailure: Error | undefined;
  checkpointFailure: Error | undefined;
  /** Awaited by every checkpoint. */
  checkpointGate: Promise<unknown> = Promise.resolve();
  /** The variables that the files are loaded as, where they are tables. */
  tables: readonly string[] = [];
  /** Changed between runs. */
  readonly touched = new Set<string>();
  forgetCheckpoints = false;
  /** Whether a sandbox that starts has a kernel without variables. */
  isFresh = true;
  readonly #checkpoints = new Set<string>();
  readonly #listeners: StateListener[] = [];
  /** Awaited by every wake. */
  gate: Promise<unknown> = Promise.resolve();

  async wake(threadId: string, options: { datasets?: unknown }): Promise<WakeResult> {
    this.calls.push(`wake ${threadId}`);
    await this.gate;
    if (this.failure) throw this.failure;
    const from = this.living.has(threadId) ? "hot" : "new";
    if (from === "new") this.living.set(threadId, Object.keys(options.datasets ?? {}));
    const lost = this.lost.splice(0);
    if (lost.length > 0) this.announce(threadId, { from: "cold", to: "hot", reason: "used", lost });
    const sandbox = { id: threadId, python: this.python } as unknown as Sandbox;
    return { sandbox, from, wakeMs: 1.4, isFresh: from === "new" && this.isFresh, lost };
  }

  state(threadId: string): "hot" | "cold" {
    return this.living.has(threadId) ? "hot" : "cold";
  }

  async loadTables({ id }: Sandbox, order: readonly string[]): Promise<DataProfile> {
    this.calls.push(`load ${id}`);
    if (this.loadFailure) throw this.loadFailure;
    const shown = this.living.get(id) ?? [];
    const others = shown.map((name) => ({ file: `/data/${name}`, name, size_bytes: order.indexOf(name) }));
    if (this.tables.length === 0) return { tables: [], others };
    return { tables: others.map((file, at) => makeTable(file, this.tables[at])), others: [] };
  }

  async checkpoint(threadId: string, turnId: string): Promise<Checkpoint> {
    this.calls.push(`checkpoint ${threadId} ${turnId}`);
    if (!this.forgetCheckpoints) this.#checkpoints.add(turnId);
    await this.checkpointGate;
    if (this.checkpointFailure) throw this.checkpointFailure;
    return {} as Checkpoint;
  }

  async branch(threadId: string, turnIds: readonly string[], newThreadId: string): Promise<BranchResult> {
    this.calls.push(`branch ${threadId} ${newThreadId}`);
    if (this.failure) throw this.failure;
    const turnId = turnIds.find((id) => this.#checkpoints.has(id));
    if (turnId === undefined) throw new Error("there is no checkpoint of this turn");
    this.living.set(newThreadId, []);
    const { lost, isExact } = { lost: this.lost.splice(0), isExact: true };
    const sandbox = { id: newThreadId } as unknown as Sandbox;
    const facts = { from: "new", wakeMs: 1, isFresh: false, restored: ["df"] } as const;
    return { ...facts, sandbox, turnId, lost, isExact, takenAt: "2030-01-01T00:00:00Z", missingFiles: [] };
  }

  async checkpoints(): Promise<readonly Checkpoint[]> {
    return [...this.#checkpoints].map((turnId) => ({ turnId }) as Checkpoint);
  }

  hasNonPythonChanges(threadId: string): boolean {
    return this.touched.delete(threadId);
  }

  subscribe(listener: StateListener): () => void {
    this.#listeners.push(listener);
    return () => {};
  }

  announce(
    threadId: string,
    change: Pick<StateChange, "from" | "to" | "reason"> & Partial<StateChange>,
  ): void {
    for (const listener of this.#listeners)
      listener(threadId, { restored: [], lost: [], isFresh: false, ...change });
  }

  async hibernate(threadId: string): Promise<void> {
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

function makeTable(file: { file: string; name: string }, variable = "df"): DataProfile["tables"][number] {
  const nothing = { columns: [], sample: [], notes: [] };
  return { ...file, variable, format: "csv", rows: 0, loaded_rows: 0, ...nothing };
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
