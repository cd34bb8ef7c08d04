import type { Traffic } from "@atoll/sandbox";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type NetworkEvent, TrafficLog } from "./traffic-log.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open(options: { maxEntries?: number } = {}) {
  const told: (NetworkEvent & { threadId: string })[] = [];
  const log = new TrafficLog({
    write: (threadId, event) => void told.push({ ...event, threadId }),
    ...options,
  });
  return {
    log,
    told,
    say: () => told.splice(0).map(({ host, outcome, count }) => `${host} ${outcome} ×${count}`),
  };
}

function traffic(host: string, changes: Partial<Traffic> = {}): Traffic {
  return {
    at: "2030-01-01T00:00:00.000Z",
    method: "GET",
    host,
    port: 443,
    outcome: "allowed",
    sentBytes: 1,
    receivedBytes: 10,
    durationMs: 2.5,
    ...changes,
  };
}

it("the first of a kind is told at once, repeats together a second later", () => {
  const { log, told, say } = open();
  log.note("t", traffic("a.test", { reason: "x" }));
  expect(told).toEqual([
    {
      threadId: "t",
      type: "network",
      started_at: "2030-01-01T00:00:00.000Z",
      method: "GET",
      host: "a.test",
      port: 443,
      outcome: "allowed",
      reason: "x",
      count: 1,
      sent_bytes: 1,
      received_bytes: 10,
      duration_ms: 3,
    },
  ]);
  for (let turn = 0; turn < 5; turn += 1) log.note("t", traffic("a.test", { reason: "x" }));
  log.note("t", traffic("a.test", { outcome: "refused" }));
  log.note("other", traffic("a.test"));
  told.splice(0, 1);
  expect(say()).toEqual(["a.test refused ×1", "a.test allowed ×1"]);
  vi.advanceTimersByTime(1000);
  expect(told).toMatchObject([{ host: "a.test", count: 5, sent_bytes: 5, received_bytes: 50 }]);
});

it("who asks for ever new hosts, without a pause, is told of in ever fewer entries", () => {
  const { log, told } = open({ maxEntries: 3 });
  let hosts = 0;
  for (let second = 0; second < 600; second += 1) {
    for (let turn = 0; turn < 10; turn += 1)
      log.note("t", traffic(`h${(hosts += 1)}.test`, { outcome: "refused" }));
    vi.advanceTimersByTime(1000);
  }
  log.flush();
  expect(told.reduce((sum, { count }) => sum + count, 0)).toBe(6000);
  expect(told.length).toBeLessThan(80);
  expect(told.some(({ host, method, reason }) => host === "(others)" && method === "(any)" && !reason)).toBe(
    true,
  );
});

it("after a pause everything is told at once again, and nothing is held back at the end", () => {
  const { log, say } = open();
  log.note("t", traffic("a.test"));
  log.note("t", traffic("a.test"));
  vi.advanceTimersByTime(10_000);
  expect(say()).toEqual(["a.test allowed ×1", "a.test allowed ×1"]);
  log.note("t", traffic("a.test"));
  expect(say()).toEqual(["a.test allowed ×1"]);
  log.note("t", traffic("a.test"));
  log.flush();
  expect(say()).toEqual(["a.test allowed ×1"]);
  expect(vi.getTimerCount()).toBe(0);
});

it("what a program wrote as a host is cut and made whole", () => {
  const { log, told } = open();
  log.note("t", traffic(`\ud800${"x".repeat(1000)}`, { port: NaN, reason: "y".repeat(1000) }));
  expect(told[0]).toMatchObject({
    host: expect.stringMatching(/^\ufffdx{252}$/),
    port: 0,
    reason: "y".repeat(300),
  });
});
