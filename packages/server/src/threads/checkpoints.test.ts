import { describe, expect, it, onTestFinished } from "vitest";
import { type Answer, makeBench, outcome } from "./threads.harness.ts";

const useSandbox: Answer = async (request) => {
  await request.wake();
  return outcome(request.message);
};

describe("the checkpoint of a turn", () => {
  it("is taken after its end, and neither the answer nor the next message waits for it", async () => {
    const bench = await makeBench(onTestFinished, useSandbox);
    const threadId = await bench.newThread();
    bench.sandboxes.checkpointGate = new Promise(() => {});
    const [one, two] = [await bench.ask(threadId, "one"), await bench.ask(threadId, "two")];
    await expect
      .poll(() => bench.sandboxes.calls.filter((call) => call.startsWith("checkpoint")))
      .toEqual([one, two].map(({ run_id }) => `checkpoint ${threadId} ${run_id}`));
  });

  it("that fails is told to the operator and breaks nothing", async () => {
    const bench = await makeBench(onTestFinished, useSandbox);
    const threadId = await bench.newThread();
    bench.sandboxes.checkpointFailure = new Error("no room");
    expect(await bench.ask(threadId, "one")).toMatchObject({ status: "completed" });
    expect(await bench.ask(threadId, "two")).toMatchObject({ status: "completed" });
    await expect.poll(() => bench.faults.length).toBe(2);
    expect(bench.faults[0]).toMatchObject({ threadId, message: expect.stringContaining("checkpoint") });
    expect(bench.types(threadId)).not.toContain("error");
  });

  it("is preceded by one of what was done between the turns", async () => {
    const bench = await makeBench(onTestFinished, useSandbox);
    const threadId = await bench.newThread();
    bench.sandboxes.touched.add(threadId);
    const { run_id } = await bench.ask(threadId, "one");
    await expect
      .poll(() => bench.sandboxes.calls.filter((call) => call.startsWith("checkpoint")))
      .toEqual([`checkpoint ${threadId} before ${run_id}`, `checkpoint ${threadId} ${run_id}`]);
  });

  it("is not taken of a run that had no sandbox, nor of a thread that is removed", async () => {
    const bench = await makeBench(onTestFinished, async (request) => {
      if (request.message === "talk") return outcome("");
      await request.wake();
      removing = bench.runner.remove(threadId);
      return outcome("");
    });
    let removing: Promise<boolean> | undefined;
    const threadId = await bench.newThread();
    await bench.runner.prepare(threadId);
    await bench.ask(threadId, "talk");
    await bench.ask(threadId, "go").catch(() => {});
    expect(await removing).toBe(true);
    expect(bench.sandboxes.calls.filter((call) => call.startsWith("checkpoint"))).toEqual([]);
  });
});
