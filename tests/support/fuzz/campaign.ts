import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { form } from "./bodies.ts";
import { findComplaints, type Grounds } from "./judge.ts";
import { SESSION_IDS } from "./known-values.ts";
import type { LiveObjects } from "./live-objects.ts";
import type { Operation } from "./operations.ts";
import { type Draft, drafts, encode, isCutShort, plain, plainDrafts } from "./requests.ts";
import { type Answer, exchange } from "./wire.ts";

/** How often an operation was called, and how it answered. */
export interface Tally {
  calls: number;
  succeeded: number;
  refused: number;
}

/** With so much still on its way, a connection that is closed after the answer may take the answer with it. */
const LOST_BYTES = 100_000;

/** Sends requests to every operation and keeps count. */
export class Campaign {
  readonly tallies = new Map<string, Tally>();
  sent = 0;
  readonly #port: number;
  readonly #live: LiveObjects;
  readonly #grounds: Grounds;

  constructor(url: string, live: LiveObjects, grounds: Grounds) {
    this.#port = Number(new URL(url).port);
    this.#live = live;
    this.#grounds = grounds;
  }

  /** A request that ought to succeed. */
  async sendPlain(operation: Operation, seed: number): Promise<Answer> {
    const { api } = this.#grounds;
    const [draft] = fc.sample(plainDrafts(operation, api, this.#live), { seed, numRuns: 1 });
    if (!draft) throw new Error("fast-check gave nothing");
    return this.#send(operation, { ...draft, ...plainest(operation, this.#live) });
  }

  /** A request under the name of another machine, which no operation answers. */
  async sendForeign(operation: Operation): Promise<Answer> {
    return this.#send(operation, { ...plain(operation), headers: [["Host", "evil.example"]] });
  }

  /** Many requests of which most ought to fail. Gives back what went wrong, in words and with a way to repeat it. */
  async attack(operation: Operation, options: { seed: number; runs: number }): Promise<string | undefined> {
    const property = fc.asyncProperty(drafts(operation, this.#grounds.api, this.#live), async (draft) => {
      await this.#send(operation, draft);
    });
    const details = await fc.check(property, {
      // Of its own, lest all operations get the same requests.
      seed: options.seed ^ createHash("sha256").update(operation.id).digest().readInt32BE(),
      numRuns: options.runs,
      interruptAfterTimeLimit: 240_000,
      markInterruptAsFailure: true,
    });
    if (!details.failed) return undefined;
    const [draft] = details.counterexample ?? [];
    const reason = details.errorInstance instanceof Error ? details.errorInstance.message : "interrupted";
    return `${operation.id}: ${reason}\n  after ${JSON.stringify(draft)?.slice(0, 2000)}`;
  }

  async #send(operation: Operation, draft: Draft): Promise<Answer> {
    const isSure = isRouteSure(draft, operation);
    const bytes = encode(draft, operation, this.#live, this.#port);
    const isHead = draft.method === "HEAD";
    const isCut = isCutShort(draft);
    const isLeavingStreams = ["followEvents", "watchBrowser", "followTerminal"].includes(operation.id);
    const answer = await exchange(this.#port, bytes, { isHead, isCut, isLeavingStreams });
    this.sent += 1;
    const sent = {
      operation: isSure ? operation : undefined,
      bytes,
      isHead,
      maySayNothing: isCut || bytes.length > LOST_BYTES,
    };
    const complaints = findComplaints(sent, answer, this.#grounds);
    if (isSure) this.#count(operation.id, answer.status);
    if (isSure && answer.status >= 200 && answer.status < 300) await this.#clear(operation.id, answer);
    if (complaints.length > 0) throw new Error(complaints.join("\n"));
    return answer;
  }

  #count(id: string, status: number): void {
    const tally = this.tallies.get(id) ?? { calls: 0, succeeded: 0, refused: 0 };
    this.tallies.set(id, tally);
    tally.calls += 1;
    if (status >= 200 && status < 300) tally.succeeded += 1;
    if (status >= 400) tally.refused += 1;
  }

  /** What was made is removed again, so that the server does not fill up. */
  async #clear(id: string, { body }: Answer): Promise<void> {
    const places: Readonly<Record<string, string>> = {
      createSandbox: "sandboxes",
      createThread: "thread",
      openTerminal: `thread/${this.#live.desk.threadId}/terminals`,
    };
    const place = places[id];
    if (place === undefined) return;
    const { sandbox_id, thread_id, terminal_id } = JSON.parse(body.toString()) as Record<string, string>;
    const made = terminal_id ?? sandbox_id ?? thread_id;
    const response = await fetch(`http://127.0.0.1:${this.#port}/${place}/${made}`, { method: "DELETE" });
    // Another request may have made, and removed, the same.
    if (![200, 404].includes(response.status))
      throw new Error(`${id} cannot be undone: ${await response.text()}`);
  }
}

/** Parameters that change the route, or a head that is read as another one, say nothing about the operation. */
function isRouteSure(
  { method, version, params, rawParams, rawQuery, headers }: Draft,
  operation: Operation,
): boolean {
  const isPlainAddress = Object.values(params).every((value) => !["", ".", ".."].includes(value));
  return (
    method === operation.method &&
    version === "1.1" &&
    isPlainAddress &&
    Object.keys(rawParams).length === 0 &&
    rawQuery === "" &&
    headers.every(([name]) => !["Content-Length", "Transfer-Encoding", "Expect"].includes(name))
  );
}

/** The fields without which the plainest request of an operation would miss. */
function plainest({ id, query, body }: Operation, live: LiveObjects): Partial<Draft> {
  const names = query.filter(({ required }) => required).map(({ name }) => name);
  if (id === "uploadSessionFiles") names.push("session_id");
  const values: Readonly<Record<string, string>> = { path: plainPath(id), session_id: SESSION_IDS[0] ?? "" };
  const value = plainBody(id, live);
  return {
    query: names.map((name) => [name, values[name] ?? "x"]),
    ...(body?.type === "multipart/form-data" ? { body: form(["a.csv", "b.csv"]) } : {}),
    ...(value === undefined ? {} : { body: { type: "application/json", text: JSON.stringify(value) } }),
  };
}

function plainPath(id: string): string {
  if (id === "getFileTable") return "/data/a.csv";
  if (id.startsWith("downloadSession")) return "a.csv";
  return id.startsWith("delete") ? "scratch/0.txt" : id.startsWith("write") ? "scratch/new.txt" : "notes.txt";
}

function plainBody(id: string, live: LiveObjects): unknown {
  if (id.startsWith("move")) return { from: "scratch/1.txt", to: "scratch/moved.txt" };
  if (id.endsWith("Message")) return { message: "total sales by city" };
  const bodies: Readonly<Record<string, unknown>> = {
    useBrowser: { type: "mouse", action: "move", x: 1, y: 1 },
    createThread: { file_ids: [live.fileId] },
    addThreadData: { file_ids: [live.fileId] },
    runCode: { code: "6 * 7" },
    openTerminal: { cols: 80, rows: 24 },
    resizeTerminal: { cols: 80, rows: 24 },
    writeTerminal: { data: "echo hello\n" },
    shareThread: {},
    chat: { session_id: SESSION_IDS[0], message: "total sales by city" },
    streamChat: { session_id: SESSION_IDS[0], message: "total sales by city" },
    clearSession: { session_id: SESSION_IDS[0] },
    runPython: { code: "6 * 7" },
    runCommand: { command: "echo hello" },
    createSandbox: {},
    createContext: {},
    snapshotSandbox: {},
    restoreSandbox: {},
    updateSettings: { model: "built-in" },
    testSettings: { model: "built-in" },
    decideApproval: { decision: "allow" },
    updateThread: { title: "A title" },
  };
  return bodies[id];
}
