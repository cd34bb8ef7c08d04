import { describe, expect, it, onTestFinished } from "vitest";
import { call, makeAsking, untilOpen } from "./approvals/asking.harness.ts";
import { makeBench, outcome } from "./threads.harness.ts";

describe("a run that waits for a user", () => {
  it("holds no place among the runs: another one goes on", async () => {
    const order: string[] = [];
    const bench = await makeBench(
      onTestFinished,
      async (request) => {
        if (request.message === "ask") await request.approve(call());
        order.push(request.message);
        return outcome("");
      },
      { limits: { maxRunsAtOnce: 1 } },
    );
    const asking = await bench.newThread("thread_on", { approvals: "on" });
    const other = await bench.newThread("thread_off");
    const done = bench.ask(asking, "ask");
    const [open] = await untilOpen(bench, asking);
    await bench.ask(other, "other");
    await bench.runner.decide(asking, open?.approvalId ?? "", { decision: "allow" });
    await done;
    expect(order).toEqual(["other", "ask"]);
  });

  it("takes a place again when it goes on", async () => {
    const gate = Promise.withResolvers<void>();
    const order: string[] = [];
    const bench = await makeBench(
      onTestFinished,
      async (request) => {
        if (request.message === "ask") await request.approve(call());
        else await gate.promise;
        order.push(request.message);
        return outcome("");
      },
      { limits: { maxRunsAtOnce: 1 } },
    );
    const asking = await bench.newThread("thread_on", { approvals: "on" });
    const other = await bench.newThread("thread_off");
    const asked = bench.ask(asking, "ask");
    const [open] = await untilOpen(bench, asking);
    const answered = bench.ask(other, "other");
    await bench.waitFor(other, "run_started");
    await bench.runner.decide(asking, open?.approvalId ?? "", { decision: "allow" });
    expect(order).toEqual([]);
    gate.resolve();
    await Promise.all([asked, answered]);
    expect(order).toEqual(["other", "ask"]);
  });

  it("lets its sandbox rest, unless a program of it asks", async () => {
    const { answer } = makeAsking();
    const bench = await makeBench(onTestFinished, answer);
    const threadId = await bench.newThread("thread_on", { approvals: "on" });
    const done = bench.ask(threadId, "go");
    const [open] = await untilOpen(bench, threadId);
    await bench.runner.rest(threadId);
    expect(bench.sandboxes.calls).toContain(`rest ${threadId}`);
    await bench.runner.decide(threadId, open?.approvalId ?? "", { decision: "allow" });
    await done;

    const program = makeAsking(call({ parentCallId: "p1" }));
    const busy = await makeBench(onTestFinished, program.answer);
    const other = await busy.newThread("thread_on", { approvals: "on" });
    const asked = busy.ask(other, "go");
    const [inner] = await untilOpen(busy, other);
    await expect(busy.runner.rest(other)).rejects.toMatchObject({ code: "busy" });
    await busy.runner.decide(other, inner?.approvalId ?? "", { decision: "allow" });
    await asked;
  });
});
