import { defaultLimits } from "@atoll/sandbox";
import { expect, onTestFinished, test } from "vitest";
import { ThreadLimits } from "../../limits/thread-limits.ts";
import { errorSchema, newThreadSchema, threadSchema } from "@atoll/protocol/schemas";
import { readAs } from "../read-as.harness.ts";
import { makeTestServer } from "../test-server.harness.ts";

const MiB = 1024 * 1024;

test("a thread's limits are chosen at its start or later, and shown with the most that may be", async () => {
  const { ask, post } = await makeTestServer(onTestFinished);
  const asked = post("/thread/new", { limits: { memory_bytes: 2048 * MiB } });
  const { thread_id: id } = await readAs(newThreadSchema, asked);
  const change = (limits: unknown) =>
    ask(`/thread/${id}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ limits }),
    });
  const shown = await readAs(threadSchema, ask(`/thread/${id}`));
  expect(shown.limits).toEqual({
    memory_bytes: 2048 * MiB,
    cpus: 1,
    disk_bytes: defaultLimits.diskBytes,
    timeout_ms: defaultLimits.timeoutMs,
  });
  expect(shown.max_limits).toMatchObject({ memory_bytes: 4096 * MiB, cpus: 2 });
  // In the place of all that were chosen.
  const changed = await readAs(threadSchema, change({ cpus: 1.5 }));
  expect(changed.limits).toMatchObject({ cpus: 1.5, memory_bytes: defaultLimits.memoryBytes });
  expect((await readAs(threadSchema, change(null))).limits.cpus).toBe(1);
  const refused = await change({ cpus: 3 });
  expect([refused.status, await readAs(errorSchema, refused)]).toMatchObject([
    403,
    {
      message: "this server allows no more than 2 processor cores",
      hint: expect.stringContaining("ATOLL_MAX"),
    },
  ]);
  for (const wrong of [{ memory_bytes: 1 }, { cpus: 0.2 }, { open_files: 100 }, { timeout_ms: 0.5 }])
    expect((await change(wrong)).status).toBe(400);
});

test("those that nobody chose are those of the runtime, whose memory may have to hold the files", () => {
  const most = { memoryBytes: 1024 * MiB, cpus: 2, diskBytes: 300 * MiB, timeoutMs: 60_000 };
  const usual = { ...defaultLimits, memoryBytes: 768 * MiB, diskBytes: 384 * MiB, timeoutMs: 6000 };
  const light = new ThreadLimits(most, { defaultLimits: usual, datasetBytes: (bytes) => bytes / 2 });
  expect(light.of()).toEqual({ memoryBytes: 768 * MiB, cpus: 1, diskBytes: 300 * MiB, timeoutMs: 6000 });
  expect(light.of({ limits: { timeoutMs: 20_000 } }).timeoutMs).toBe(20_000);
  expect(light.dataBytes({})).toBe(384 * MiB);
  expect(light.dataBytes({ limits: { memoryBytes: 200 * MiB } })).toBe(100 * MiB);
  // CPython has them on its disk.
  expect(light.dataBytes({ runtime: "auto" })).toBeUndefined();
  expect(light.of({ runtime: "auto" }).memoryBytes).toBe(
    Math.min(defaultLimits.memoryBytes, most.memoryBytes),
  );
  expect(new ThreadLimits(most).dataBytes({})).toBeUndefined();
});

test("what the operator allows holds for threads that chose more before, and for those that chose nothing", () => {
  const limits = new ThreadLimits({ memoryBytes: 512 * MiB, cpus: 2, diskBytes: 100 * MiB, timeoutMs: 1000 });
  expect(limits.of({ limits: { memoryBytes: 4096 * MiB, cpus: 0.5 } })).toEqual({
    memoryBytes: 512 * MiB,
    cpus: 0.5,
    diskBytes: 100 * MiB,
    timeoutMs: 1000,
  });
  expect(limits.whyTooMuch({ diskBytes: 101 * MiB })).toContain("100 MB of disk");
  expect(limits.whyTooMuch({ timeoutMs: 1000 })).toBeUndefined();
});
