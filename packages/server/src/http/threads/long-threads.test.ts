import { beforeAll, describe, expect, it } from "vitest";
import { exportThread } from "../../export/export-thread.ts";
import { outcome } from "../../threads/threads.harness.ts";
import type { ThreadEvent } from "@atoll/protocol";
import { makeTestServer, type TestServer } from "../test-server.harness.ts";

/** Forty events a run: fifty thousand in all. */
const long = { runs: 1250, tokens: 20, outputs: 17 };
/** Four events a run. Of these a history reads nearly all; of those above, a twelfth. */
const many = { runs: 12_500, tokens: 1, outputs: 0 };

describe("a thread with 50,000 events does not hold up the others", () => {
  let server: TestServer;
  const ending: (() => unknown)[] = [];

  beforeAll(async () => {
    server = await makeTestServer((end) => ending.push(end), { services: { exportThread } });
    return async () => {
      for (const end of ending.toReversed()) await end();
    };
  });

  it.each([
    ["its history", "GET", many, (id: string) => `/thread/${id}/history`],
    ["its export as JSON", "GET", long, (id: string) => `/thread/${id}/export?format=json`],
    ["a new share of it", "POST", long, (id: string) => `/thread/${id}/share`],
  ] as const)("by %s", async (_, method, shape, path) => {
    const thread = await server.newThread();
    for (let run = 0; run < shape.runs; run += 50) {
      const some = Array.from({ length: 50 }, (__, at) => eventsOf(thread, run + at, shape));
      await server.store.log.append(thread, some.flat());
    }
    const inOnePiece = measureCpu(() => JSON.stringify(server.store.log.read(thread)));
    const longestTurn = watchTurns();
    const response = await server.ask(path(thread), { method });
    const text = await response.text();
    expect([response.status, text.length > 10]).toEqual([200, true]);
    expect(longestTurn()).toBeLessThan(inOnePiece / 4);
  });
});

function eventsOf(
  thread: string,
  run: number,
  { tokens, outputs }: { readonly tokens: number; readonly outputs: number },
): { event: ThreadEvent; runId?: string }[] {
  const runId = `r${run}`;
  const ids = { run_id: runId, message_id: `m${run}` };
  const output = {
    type: "output",
    call_id: "c1",
    stream: "stdout",
    text: "line of an output\n".repeat(5),
  } as const;
  const events: ThreadEvent[] = [
    { type: "run_started", ...ids, model: "built-in" },
    ...Array.from({ length: tokens }, () => ({ type: "token" as const, text: "a few words " })),
    ...Array.from({ length: outputs }, () => output),
    { type: "done", thread_id: thread, ...ids, ...outcome("a few words ".repeat(tokens)) },
  ];
  return [
    { event: { type: "message", message_id: ids.message_id, role: "user", text: "and?", mode: "queue" } },
    ...events.map((event) => ({ event, runId })),
  ];
}

/** The longest turn of the event loop since, in processor time of this thread: other programs do not count. */
function watchTurns(): () => number {
  let longest = 0;
  let before = cpuMs();
  let next = setImmediate(function turn() {
    const now = cpuMs();
    longest = Math.max(longest, now - before);
    before = now;
    next = setImmediate(turn);
  });
  return () => {
    clearImmediate(next);
    return Math.max(longest, cpuMs() - before);
  };
}

function measureCpu(work: () => unknown): number {
  const before = cpuMs();
  work();
  return cpuMs() - before;
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
