import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { describeOnDatabases } from "../../../../../tests/support/databases.ts";
import type { StoredEvent } from "@atoll/protocol";
import { Database } from "../database.ts";
import type { FollowOptions, ThreadLog } from "../contract.ts";
import { makeDataDir, message, openTemporaryStore, token } from "../temporary-store.harness.ts";
import { EventTable } from "./event-table.ts";

describeOnDatabases("the thread log", (databaseOf) => {
  const open = (dataDir?: string) => openTemporaryStore(onTestFinished, dataDir, databaseOf);

  it("gives rising ids, each thread its own", async () => {
    const { log, threads } = await open();
    await threads.create({ id: "thread_a", fileIds: [] });
    await threads.create({ id: "thread_b", fileIds: [] });
    const [first, second] = await Promise.all([
      log.append("thread_a", [token("1"), token("2")]),
      log.append("thread_b", [token("3")]),
      log.append("thread_a", [token("4", "run_1")]),
    ]);
    expect(first?.map((event) => event.id)).toEqual([1, 2]);
    expect(second?.map((event) => event.id)).toEqual([1]);
    expect(log.read("thread_a").map((event) => [event.id, event.type === "token" && event.text])).toEqual([
      [1, "1"],
      [2, "2"],
      [3, "4"],
    ]);
    expect(log.read("thread_a").at(-1)).toMatchObject({ thread_id: "thread_a", run_id: "run_1" });
    expect(log.lastId("thread_a")).toBe(3);
    expect(log.lastId("nobody")).toBe(0);
  });

  it("keeps every character of an event", async () => {
    const { log, threads } = await open();
    await threads.create({ id: "thread_a", fileIds: [] });
    const text = 'a"b\\c\n\u0000\u2028 \ud83d\ude00 \ud800 数据 </script>';
    const [stored] = await log.append("thread_a", [token(text)]);
    const line = await takeLines(log, "thread_a", 1);
    expect(stored).toMatchObject({ text });
    expect(log.read("thread_a")[0]).toEqual(stored);
    expect(JSON.parse(line[0] ?? "")).toEqual(stored);
  });

  it("reads by type, by run, from an id, and the last few", async () => {
    const { log, threads } = await open();
    await threads.create({ id: "thread_a", fileIds: [] });
    for (const n of [1, 2, 3]) {
      const runId = `run_${n}`;
      const started = { type: "run_started", run_id: runId, message_id: `m${n}`, model: "built-in" } as const;
      await log.append("thread_a", [message(`m${n}`), { event: started, runId }]);
      await log.append("thread_a", [token("a", runId), token("b", runId)]);
    }
    const ids = (events: readonly StoredEvent[]) => events.map((event) => event.id);
    expect(ids(log.read("thread_a", { types: ["message"] }))).toEqual([1, 5, 9]);
    expect(ids(log.read("thread_a", { types: ["message", "token"], after: 5, limit: 3 }))).toEqual([7, 8, 9]);
    expect(ids(log.read("thread_a", { runId: "run_2" }))).toEqual([6, 7, 8]);
    expect(ids(log.read("thread_a", { types: ["message", "run_started"], last: 3 }))).toEqual([6, 9, 10]);
    expect(ids(log.read("thread_a", { types: ["token"], runId: "run_3", last: 1 }))).toEqual([12]);
    expect(log.read("thread_a", { types: [] })).toEqual([]);
  });

  it("refuses an event for a thread that is not there, and stores the others of the same turn", async () => {
    const { log, threads } = await open();
    await threads.create({ id: "thread_a", fileIds: [] });
    const [refused, stored] = await Promise.allSettled([
      log.append("nobody", [token("x")]),
      log.append("thread_a", [token("y")]),
    ]);
    expect(refused).toMatchObject({ status: "rejected", reason: { code: "not_found" } });
    expect(stored.status).toBe("fulfilled");
    expect(log.lastId("thread_a")).toBe(1);
  });

  it("refuses an event that is no JSON without harm to others", async () => {
    const { log, threads } = await open();
    await threads.create({ id: "thread_a", fileIds: [] });
    const bad = { event: { type: "tool_call", call_id: "c", tool: "t", input: 1n } as const };
    await expect(log.append("thread_a", [bad])).rejects.toMatchObject({ code: "internal" });
    await log.append("thread_a", [token("fine")]);
    expect(log.lastId("thread_a")).toBe(1);
  });

  it("leaves a gap where it is told to, also after a restart", async () => {
    const store = await open();
    await store.threads.create({ id: "thread_a", fileIds: [] });
    await store.log.append("thread_a", [token("x")]);
    await store.log.skipIds("thread_a", 1000);
    const [next] = await store.log.append("thread_a", [token("y")]);
    expect(next?.id).toBe(1002);
  });

  it("knows which threads have something open", async () => {
    const { log, threads } = await open();
    await threads.create({ id: "thread_a", fileIds: [] });
    await threads.create({ id: "thread_b", fileIds: [] });
    await log.append("thread_b", [message("m1")]);
    expect(log.unsettled()).toEqual(["thread_b"]);
    await log.settle("thread_b");
    expect(log.unsettled()).toEqual([]);
  });

  it("stops a page at its size and can be asked again", async () => {
    const { log, threads } = await open();
    await threads.create({ id: "thread_a", fileIds: [] });
    await log.append("thread_a", [token("x".repeat(100)), token("y".repeat(100)), token("z")]);
    await log.append("thread_a", [token("w")]);
    expect(await takeLines(log, "thread_a", 4)).toHaveLength(4);
  });
});

describeOnDatabases("followers", (databaseOf) => {
  const open = (dataDir?: string) => openTemporaryStore(onTestFinished, dataDir, databaseOf);

  it("get what is stored, then what comes, each once and in order", async () => {
    const { log, threads } = await open();
    await threads.create({ id: "thread_a", fileIds: [] });
    await appendTokens(log, "thread_a", 0, 700);
    const reading = takeLines(log, "thread_a", 3000);
    await appendTokens(log, "thread_a", 700, 3000);
    expect((await reading).map(textOf)).toEqual(Array.from({ length: 3000 }, (_, n) => String(n)));
  });

  it("that are slow, fast or late all see the same, 500 of them", async () => {
    const { log, threads } = await open();
    await threads.create({ id: "thread_a", fileIds: [] });
    const total = 1500;
    const readers = Array.from({ length: 500 }, (_, n) =>
      takeLines(log, "thread_a", total, { pauseEvery: n % 10 === 0 ? 50 : 0 }),
    );
    await appendTokens(log, "thread_a", 0, total);
    const expected = (await takeLines(log, "thread_a", total)).join("");
    for (const reader of readers) expect((await reader).join("")).toBe(expected);
  });

  it("share one text of each event while they keep up", async () => {
    const { log, threads } = await open();
    await threads.create({ id: "thread_a", fileIds: [] });
    const signal = AbortSignal.timeout(50_000);
    const readers = [1, 2].map(() =>
      log.followLines("thread_a", { after: 0, signal })[Symbol.asyncIterator](),
    );
    const lines = Promise.all(readers.map((reader) => reader.next()));
    await log.append("thread_a", [token("x")]);
    const [one, other] = await lines;
    expect(one?.value).toBe(other?.value);
    await Promise.all(readers.map((reader) => reader.return?.()));
  });

  it("see nothing that is not stored", async () => {
    const { log, threads } = await open();
    await threads.create({ id: "thread_a", fileIds: [] });
    const following = log.follow("thread_a", { after: 0, signal: AbortSignal.timeout(50_000) });
    const seen = following[Symbol.asyncIterator]();
    const next = seen.next();
    const appended = log.append("thread_a", [token("x")]);
    expect(log.read("thread_a")).toEqual([]);
    expect(await Promise.race([next, Promise.resolve("nothing yet")])).toBe("nothing yet");
    await appended;
    expect((await next).value).toMatchObject({ id: 1 });
    await seen.return?.();
  });

  it("end when their signal aborts, while they wait and while they read", async () => {
    const { log, threads } = await open();
    await threads.create({ id: "thread_a", fileIds: [] });
    await appendTokens(log, "thread_a", 0, 10);
    const leave = new AbortController();
    const seen: number[] = [];
    for await (const event of log.follow("thread_a", { after: 0, signal: leave.signal })) {
      seen.push(event.id);
      if (event.id === 4) leave.abort();
    }
    expect(seen).toEqual([1, 2, 3, 4]);
    const waiting = new AbortController();
    const rest = collect(log, "thread_a", { after: 10, signal: waiting.signal });
    await nextTurn();
    waiting.abort();
    expect(await rest).toEqual([]);
  });

  it("end when the thread is removed, and are told nothing of one that never was", async () => {
    const { log, threads } = await open();
    await threads.create({ id: "thread_a", fileIds: [] });
    const signal = AbortSignal.timeout(50_000);
    const seen = collect(log, "thread_a", { after: 0, signal });
    await log.append("thread_a", [token("x")]);
    await nextTurn();
    await threads.remove("thread_a");
    expect((await seen).map((event) => event.id)).toEqual([1]);
    await expect(log.append("thread_a", [token("y")])).rejects.toMatchObject({ code: "not_found" });
    expect(await collect(log, "nobody", { after: 0, signal })).toEqual([]);
  });

  it("that name an id from beyond the end still see what comes next", async () => {
    const { log, threads } = await open();
    await threads.create({ id: "thread_a", fileIds: [] });
    const lines = takeLines(log, "thread_a", 1, { after: 999 });
    await log.append("thread_a", [token("x")]);
    expect((await lines).map(textOf)).toEqual(["x"]);
  });

  it("cross a gap of ids", async () => {
    const { log, threads } = await open();
    await threads.create({ id: "thread_a", fileIds: [] });
    await log.append("thread_a", [token("x")]);
    const lines = takeLines(log, "thread_a", 3);
    await nextTurn();
    await log.skipIds("thread_a", 1000);
    await log.append("thread_a", [token("y")]);
    await log.append("thread_a", [token("z")]);
    expect((await lines).map(textOf)).toEqual(["x", "y", "z"]);
  });
});

describe("the table of events", () => {
  it("uses its index for everything but tokens and output", async () => {
    const database = new Database(join(await makeDataDir(onTestFinished), "events.db"));
    const table = new EventTable(database);
    table.insert(1, { id: 1, type: "message", run_id: null, at: 0, payload: "{}" });
    expect(table.read(1, { types: ["message"], after: 0 })).toHaveLength(1);
    const plan = database
      .statement(
        `EXPLAIN QUERY PLAN SELECT id FROM events INDEXED BY events_by_type WHERE thread_key = 1
         AND id BETWEEN 1 AND 9 AND type NOT IN ('token', 'output') AND type IN (SELECT value FROM json_each('[]'))`,
      )
      .all();
    expect(JSON.stringify(plan)).toContain("thread_key=? AND type=? AND id>");
    database.close();
  });
});

async function appendTokens(log: ThreadLog, threadId: string, from: number, to: number): Promise<void> {
  for (let n = from; n < to; n += 7) {
    const count = Math.min(7, to - n);
    await log.append(
      threadId,
      Array.from({ length: count }, (_, k) => token(String(n + k))),
    );
  }
}

async function takeLines(
  log: ThreadLog,
  threadId: string,
  count: number,
  options: { after?: number; pauseEvery?: number } = {},
): Promise<string[]> {
  const lines: string[] = [];
  const signal = AbortSignal.timeout(50_000);
  for await (const line of log.followLines(threadId, { after: options.after ?? 0, signal })) {
    lines.push(line.json);
    if (lines.length === count) break;
    if (options.pauseEvery && lines.length % options.pauseEvery === 0) await nextTurn();
  }
  return lines;
}

async function collect(log: ThreadLog, threadId: string, options: FollowOptions): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const event of log.follow(threadId, options)) events.push(event);
  return events;
}

function textOf(json: string): string {
  return (JSON.parse(json) as { text: string }).text;
}
