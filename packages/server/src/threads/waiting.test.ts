import { describe, expect, it, onTestFinished } from "vitest";
import { call, makeAsking, untilOpen } from "./approvals/asking.harness.ts";
import { makeHarness, outcome } from "./threads.harness.ts";

describe("a run that waits for a user", () => {
  it("holds no place among the runs: another one goes on", async () => {
    const order: string[] = [];
    const harness = await makeHarness(
      onTestFinished,
      async (request) => {
        if (request.message === "ask") await request.approve(call());
        order.push(request.message);
        return outcome("");
      },
      { limits: { maxRunsAtOnce: 1 } },
    );
    const asking = await harness.newThread("thread_on", { approvals: "on" });
    const other = await harness.newThread("thread_off");
    const done = harness.ask(asking, "ask");
    const [open] = await untilOpen(harness, asking);
    await harness.ask(other, "other");
    await harness.runner.decide(asking, open?.approvalId ?? "", { decision: "allow" });
    await done;
    expect(order).toEqual(["other", "ask"]);
  });

  it("takes a place again when it goes on", async () => {
    const gate = Promise.withResolvers<void>();
    const order: string[] = [];
    const harness = await makeHarness(
      onTestFinished,
      async (request) => {
        if (request.message === "ask") await request.approve(call());
        else await gate.promise;
        order.push(request.message);
        return outcome("");
      },
      { limits: { maxRunsAtOnce: 1 } },
    );
    const asking = await harness.newThread("thread_on", { approvals: "on" });
    const other = await harness.newThread("thread_off");
    const asked = harness.ask(asking, "ask");
    const [open] = await untilOpen(harness, asking);
    const answered = harness.ask(other, "other");
    await harness.waitFor(other, "run_started");
    await harness.runner.decide(asking, open?.approvalId ?? "", { decision: "allow" });
    expect(order).toEqual([]);
    gate.resolve();
    await Promise.all([asked, answered]);
    expect(order).toEqual(["other", "ask"]);
  });

  it("lets its sandbox rest, unless a program of it asks", async () => {
    const { answer } = makeAsking();
    const harness = await makeHarness(onTestFinished, answer);
    const threadId = await harness.newThread("thread_on", { approvals: "on" });
    const done = harness.ask(threadId, "go");
    const [open] = await untilOpen(harness, threadId);
    await harness.runner.rest(threadId);
    expect(harness.sandboxes.calls).toContain(`rest ${threadId}`);
    await harness.runner.decide(threadId, open?.approvalId ?? "", { decision: "allow" });
    await done;

    const program = makeAsking(call({ parentCallId: "p1" }));
    const busy = await makeHarness(onTestFinished, program.answer);
    const other = await busy.newThread("thread_on", { approvals: "on" });
    const asked = busy.ask(other, "go");
    const [inner] = await untilOpen(busy, other);
    await expect(busy.runner.rest(other)).rejects.toMatchObject({ code: "busy" });
    await busy.runner.decide(other, inner?.approvalId ?? "", { decision: "allow" });
    await asked;
  });
});
