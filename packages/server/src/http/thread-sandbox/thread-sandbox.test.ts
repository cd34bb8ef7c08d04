import { defaultLimits } from "@atoll/sandbox";
import { expect, onTestFinished, test } from "vitest";
import { branchSchema, historySchema, threadSchema, threadStatusSchema } from "@atoll/protocol/schemas";
import { readAs } from "../read-as.harness.ts";
import { makeTestServer } from "../test-server.harness.ts";

const metrics = {
  cpuMs: 12,
  memoryBytes: 5_000_000,
  memoryLimitBytes: 1024,
  processes: 2,
  diskBytes: 7,
  diskLimitBytes: 2048,
  uptimeMs: 3,
};

test("the status tells what runs and waits, and what is known of the sandbox", async () => {
  const since = "2030-01-01T00:00:00.000Z";
  const { ask, newThread, runner, services } = await makeTestServer(onTestFinished);
  const id = await newThread();
  runner.gate = new Promise(() => {});
  const { messageId, eventId } = await runner.submit(id, { text: "hello" });
  const known = {
    thread_id: id,
    message_count: 1,
    run: null,
    queued: [messageId],
    model: "built-in",
    last_event_id: eventId,
    limits: expect.objectContaining({ memory_bytes: defaultLimits.memoryBytes, cpus: defaultLimits.cpus }),
  };
  const cold = await readAs(threadStatusSchema, ask(`/thread/${id}/status`));
  expect(cold).toEqual({ ...known, sandbox_status: "cold" });
  Object.assign(services.threadSandboxes, {
    describe: async () => ({
      state: "warm",
      since,
      lastUsedAt: since,
      wakeEstimate: { ms: 1.26, basis: "others" },
      metrics,
      limits: defaultLimits,
    }),
  });
  expect(await readAs(threadStatusSchema, ask(`/thread/${id}/status`))).toEqual({
    ...known,
    sandbox_status: "warm",
    sandbox_since: since,
    last_used_at: since,
    wake: { estimated_ms: 1.3, basis: "others" },
    metrics: expect.objectContaining({ memory_bytes: 5_000_000, cpu_ms: 12, disk_bytes: 7 }),
  });
});

test("a thread is suspended and woken", async () => {
  const { post, newThread, runner } = await makeTestServer(onTestFinished);
  const id = await newThread();
  expect(await readAs(threadStatusSchema, post(`/thread/${id}/suspend`, {}))).toMatchObject({
    thread_id: id,
  });
  expect((await post(`/thread/${id}/rest`, {})).status, "the deprecated name").toBe(200);
  expect(runner.rested).toEqual([id, id]);
  expect((await post(`/thread/${id}/wake`, {})).status).toBe(503);
  for (const verb of ["suspend", "rest", "wake", "branch"])
    expect((await post(`/thread/nobody/${verb}`, { message_id: "m" })).status).toBe(404);
});

test("a branch is told with what could not be brought back", async () => {
  const { ask, post, runner, store } = await makeTestServer(onTestFinished);
  await store.threads.create({ id: "source-1", fileIds: [] });
  const parent = { threadId: "source-1", messageId: "m1" };
  await store.threads.create({ id: "branch-1", title: "Tea (branch)", fileIds: [], parent });
  const lost = [{ name: "conn", type: "Connection", reason: "cannot be pickled" }];
  const missingFiles = [{ path: "/workspace/huge", reason: "too large" }];
  const stateOf = { messageId: "m0", isBefore: true, takenAt: "2030-01-01T00:00:00Z" };
  const asked: unknown[] = [];
  runner.branch = async (...given: unknown[]) => {
    asked.push(...given);
    return { threadId: "branch-1", isExact: false, restored: ["df"], lost, missingFiles, stateOf };
  };
  const response = await post("/thread/source-1/branch", { message_id: "m1", before: true });
  expect(response.status).toBe(201);
  expect(await readAs(branchSchema, response)).toEqual({
    thread_id: "branch-1",
    parent_thread_id: "source-1",
    parent_message_id: "m1",
    title: "Tea (branch)",
    message_count: 0,
    is_exact: false,
    state_of: { message_id: "m0", before: true, taken_at: "2030-01-01T00:00:00Z" },
    restored: ["df"],
    lost,
    missing_files: missingFiles,
  });
  expect(asked).toEqual(["source-1", { messageId: "m1", isBefore: true }]);
  expect(await readAs(threadSchema, ask("/thread/branch-1"))).toMatchObject({ parent_thread_id: "source-1" });
  for (const body of [{}, { message_id: "" }, { message_id: "m1", more: 1 }, { message_id: "m1", before: 1 }])
    expect((await post("/thread/source-1/branch", body)).status).toBe(400);
});

test("the history has what became of the variables", async () => {
  const { ask, newThread, store } = await makeTestServer(onTestFinished);
  const id = await newThread();
  const event = { type: "sandbox", state: "hot", text: "Restored.", restored: ["x"], lost: [] } as const;
  await store.log.append(id, [{ event: { ...event, restored: ["x"], lost: [] }, runId: "r1" }]);
  const { notices } = await readAs(historySchema, ask(`/thread/${id}/history`));
  expect(notices).toEqual([
    { at: expect.any(String), run_id: "r1", text: "Restored.", restored: ["x"], lost: [] },
  ]);
});
