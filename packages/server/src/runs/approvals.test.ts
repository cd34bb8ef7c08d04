import type { Approval } from "@atoll/agent";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Answer, makeBench, outcome } from "./testing/bench.ts";

function makeAsking(): { answer: Answer; decisions: Approval[] } {
  const decisions: Approval[] = [];
  const answer: Answer = async (request) => {
    decisions.push(await request.approve({ callId: "c1", tool: "execute_python", input: { code: "1+1" } }));
    return outcome("", request.signal.aborted ? "stopped" : "completed");
  };
  return { answer, decisions };
}

describe("approvals", () => {
  it("are given at once where they are off", async () => {
    const { answer, decisions } = makeAsking();
    const bench = await makeBench(onTestFinished, answer);
    const threadId = await bench.newThread();
    await bench.ask(threadId, "go");
    expect(decisions).toEqual([{ decision: "allow" }]);
    expect(bench.types(threadId)).not.toContain("approval");
  });

  it("wait for the user's decision, which counts once", async () => {
    const { answer, decisions } = makeAsking();
    const bench = await makeBench(onTestFinished, answer);
    const threadId = await bench.newThread("thread_on", { approvals: "on" });
    const done = bench.ask(threadId, "go");
    const asked = await bench.waitFor(threadId, "approval");
    expect(asked).toMatchObject({ call_id: "c1", tool: "execute_python", input: { code: "1+1" } });
    const approvalId = "approval_id" in asked ? asked.approval_id : "";
    expect(bench.runner.activity(threadId).approvals).toEqual([approvalId]);
    expect(await bench.runner.decide(threadId, "approval_other", { decision: "allow" })).toBe(false);
    const decision = { decision: "deny", reason: "too risky" } as const;
    const decided = await Promise.all([1, 2].map(() => bench.runner.decide(threadId, approvalId, decision)));
    expect(decided).toEqual([true, false]);
    await done;
    expect(decisions).toEqual([decision]);
    expect(bench.types(threadId).slice(-3)).toEqual(["approval", "approval_decided", "done"]);
    expect(await bench.runner.decide(threadId, approvalId, { decision: "allow" })).toBe(false);
  });

  it("are refused by a stop", async () => {
    const { answer, decisions } = makeAsking();
    const bench = await makeBench(onTestFinished, answer);
    const threadId = await bench.newThread("thread_on", { approvals: "on" });
    const done = bench.ask(threadId, "go");
    await bench.waitFor(threadId, "approval");
    await bench.runner.stop(threadId);
    expect(await done).toMatchObject({ status: "stopped" });
    expect(decisions).toEqual([{ decision: "deny", reason: "The run was stopped." }]);
    expect(bench.types(threadId).slice(-3)).toEqual(["approval", "approval_decided", "done"]);
  });

  it("are refused when nobody decides in time", async () => {
    const { answer, decisions } = makeAsking();
    const bench = await makeBench(onTestFinished, answer, { limits: { approvalTimeoutMs: 10 } });
    const threadId = await bench.newThread("thread_on", { approvals: "on" });
    await bench.ask(threadId, "go");
    expect(decisions).toEqual([{ decision: "deny", reason: "Nobody decided in time." }]);
    expect(bench.store.log.read(threadId, { types: ["approval_decided"] })).toMatchObject([
      { decision: "deny" },
    ]);
  });

  it("that an agent left open end with its run", async () => {
    const bench = await makeBench(onTestFinished, async (request) => {
      void request.approve({ callId: "c1", tool: "t", input: {} });
      return outcome("");
    });
    const threadId = await bench.newThread("thread_on", { approvals: "on" });
    await bench.ask(threadId, "go");
    expect(bench.types(threadId).slice(-3)).toEqual(["approval", "approval_decided", "done"]);
  });
});
