import { defaultLimits } from "@atoll/sandbox";
import { expect, onTestFinished, test } from "vitest";
import { jobListSchema, operatorSandboxesSchema } from "@atoll/protocol/schemas";
import { SandboxCounts } from "../../metrics/sandbox-counts.ts";
import { readAs } from "../read-as.harness.ts";
import { makeTestServer } from "../test-server.harness.ts";

const at = "2030-01-01T00:00:00.000Z";

test("an operator sees jobs, without places of the host, and revives those that failed for good", async () => {
  const server = await makeTestServer(onTestFinished);
  const job = { sandboxId: "thread-1", tries: 5, dueAt: at, scheduledAt: at };
  const revived: string[] = [];
  Object.assign(server.services.threadSandboxes, {
    jobs: async () => [
      { ...job, kind: "pause", state: "waiting", tries: 1 },
      { ...job, kind: "evict", state: "dead", lastError: `no room in ${server.config.dataDir}/x` },
    ],
    reviveJob: async (threadId: string, kind: string) => {
      revived.push(`${threadId} ${kind}`);
      return kind === "evict";
    },
  });
  const { jobs } = await readAs(jobListSchema, server.ask("/operator/jobs"));
  expect(jobs).toEqual([
    { thread_id: "thread-1", kind: "pause", state: "waiting", tries: 1, due_at: at, scheduled_at: at },
    expect.objectContaining({ kind: "evict", state: "dead", last_error: "no room in (server)/x" }),
  ]);
  const revive = (kind: string) => server.post(`/operator/jobs/thread-1/${kind}/revive`, {});
  expect(await (await revive("evict")).json()).toEqual({ revived: true });
  expect(await (await revive("pause")).json()).toEqual({ revived: false });
  expect((await revive("explode")).status).toBe(404);
  expect(revived).toEqual(["thread-1 evict", "thread-1 pause"]);
});

test("an operator sees the sandboxes that live, and how many threads are cold", async () => {
  const server = await makeTestServer(onTestFinished);
  for (let count = 0; count < 3; count += 1) await server.newThread();
  const living = { threadId: "thread-1", state: "warm", since: at, isInUse: false, limits: defaultLimits };
  Object.assign(server.services.threadSandboxes, { list: async () => [living] });
  expect(await readAs(operatorSandboxesSchema, server.ask("/operator/sandboxes"))).toEqual({
    counts: { hot: 0, warm: 1, cold: 2 },
    sandboxes: [{ thread_id: "thread-1", state: "warm", since: at, is_in_use: false }],
  });
});

test("what an operator may see needs the token like all else", async () => {
  const token = "a-token-of-the-operator";
  const server = await makeTestServer(onTestFinished, { config: { token, isLoopback: false } });
  const headers = { authorization: `Bearer ${token}` };
  for (const path of ["/operator/jobs", "/operator/sandboxes"]) {
    expect((await server.ask(path)).status).toBe(401);
    expect((await server.ask(path, { headers })).status).toBe(200);
  }
});

test("changes of state, wakes and checkpoints are counted", async () => {
  const sandboxCounts = new SandboxCounts();
  const change = { restored: [], lost: [], isFresh: false } as const;
  sandboxCounts.note({ ...change, from: "hot", to: "warm", reason: "idle" });
  sandboxCounts.note({ ...change, from: "hot", to: "hot", reason: "adopted" });
  for (const wakeMs of [250, 750])
    sandboxCounts.note({ ...change, from: "cold", to: "hot", reason: "used", wakeMs });
  sandboxCounts.noteCheckpoint({ isTaken: true, durationMs: 500 });
  sandboxCounts.noteCheckpoint({ isTaken: false, durationMs: 500 });
  const server = await makeTestServer(onTestFinished, { services: { sandboxCounts } });
  const lines = (await (await server.ask("/metrics")).text()).split("\n");
  for (const line of [
    'atoll_sandbox_changes_total{from="hot",to="warm",reason="idle"} 1',
    'atoll_sandbox_changes_total{from="cold",to="hot",reason="used"} 2',
    'atoll_sandbox_wake_seconds_sum{from="cold"} 1',
    'atoll_sandbox_wake_seconds_count{from="cold"} 2',
    'atoll_checkpoints_total{result="taken"} 1',
    'atoll_checkpoints_total{result="failed"} 1',
    "atoll_checkpoint_seconds_total 1",
  ])
    expect(lines).toContain(line);
  expect(lines.join("\n")).not.toContain("adopted");
});
