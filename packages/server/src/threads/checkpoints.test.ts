import { describe, expect, it, onTestFinished } from "vitest";
import { type Answer, makeHarness, outcome } from "./threads.harness.ts";

const useSandbox: Answer = async (request) => {
  await request.wake();
  return outcome(request.message);
};

describe("the checkpoint of a turn", () => {
  it("is taken after its end, and neither the answer nor the next message waits for it", async () => {
    const harness = await makeHarness(onTestFinished, useSandbox);
    const threadId = await harness.newThread();
    harness.sandboxes.checkpointGate = new Promise(() => {});
    const [one, two] = [await harness.ask(threadId, "one"), await harness.ask(threadId, "two")];
    await expect
      .poll(() => harness.sandboxes.calls.filter((call) => call.startsWith("checkpoint")))
      .toEqual([one, two].map(({ run_id }) => `checkpoint ${threadId} ${run_id}`));
  });

  it("that fails is told to the operator and breaks nothing", async () => {
    const harness = await makeHarness(onTestFinished, useSandbox);
    const threadId = await harness.newThread();
    harness.sandboxes.checkpointFailure = new Error("no room");
    expect(await harness.ask(threadId, "one")).toMatchObject({ status: "completed" });
    expect(await harness.ask(threadId, "two")).toMatchObject({ status: "completed" });
    await expect.poll(() => harness.faults.length).toBe(2);
    expect(harness.faults[0]).toMatchObject({ threadId, message: expect.stringContaining("checkpoint") });
    expect(harness.types(threadId)).not.toContain("error");
  });

  it("is preceded by one of what was done between the turns", async () => {
    const harness = await makeHarness(onTestFinished, useSandbox);
    const threadId = await harness.newThread();
    harness.sandboxes.touched.add(threadId);
    const { run_id } = await harness.ask(threadId, "one");
    await expect
      .poll(() => harness.sandboxes.calls.filter((call) => call.startsWith("checkpoint")))
      .toEqual([`checkpoint ${threadId} before ${run_id}`, `checkpoint ${threadId} ${run_id}`]);
  });

  it("is not taken of a run that had no sandbox, nor of a thread that is removed", async () => {
    const harness = await makeHarness(onTestFinished, async (request) => {
      if (request.message === "talk") return outcome("");
      await request.wake();
      removing = harness.runner.remove(threadId);
      return outcome("");
    });
    let removing: Promise<boolean> | undefined;
    const threadId = await harness.newThread();
    await harness.runner.prepare(threadId);
    await harness.ask(threadId, "talk");
    await harness.ask(threadId, "go").catch(() => {});
    expect(await removing).toBe(true);
    expect(harness.sandboxes.calls.filter((call) => call.startsWith("checkpoint"))).toEqual([]);
  });
});
