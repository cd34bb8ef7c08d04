import type { ThreadEvent } from "@atoll/protocol";
import type { PermissionRule } from "@atoll/toolkit";
import { describe, expect, it, onTestFinished } from "vitest";
import { Approvals } from "./approvals.ts";
import { call, makeAsking, untilOpen } from "./asking.harness.ts";
import { makeHarness, outcome } from "../threads.harness.ts";

describe("approvals", () => {
  it("are given at once where they are off", async () => {
    const { answer, decisions } = makeAsking();
    const harness = await makeHarness(onTestFinished, answer);
    const threadId = await harness.newThread();
    await harness.ask(threadId, "go");
    expect(decisions).toEqual([{ decision: "allow" }]);
    expect(harness.types(threadId)).not.toContain("approval");
  });

  it("wait for the user's decision, which counts once", async () => {
    const { answer, decisions } = makeAsking();
    const harness = await makeHarness(onTestFinished, answer);
    const threadId = await harness.newThread("thread_on", { approvals: "on" });
    const done = harness.ask(threadId, "go");
    const asked = await harness.waitFor(threadId, "approval");
    expect(asked).toMatchObject({
      call_id: "c1",
      tool: "execute_python",
      input: { code: "1+1" },
      agent: "main",
    });
    const [open] = await untilOpen(harness, threadId);
    const approvalId = open?.approvalId ?? "";
    expect(asked).toMatchObject({ approval_id: approvalId, expires_at: open?.expiresAt });
    expect(await harness.runner.decide(threadId, "approval_other", { decision: "allow" })).toBe(false);
    const decision = { decision: "deny", reason: "too risky" } as const;
    const decided = await Promise.all(
      [1, 2].map(() => harness.runner.decide(threadId, approvalId, decision)),
    );
    expect(decided).toEqual([true, false]);
    await done;
    expect(decisions).toEqual([{ ...decision, by: "user", hasWaited: true }]);
    expect(harness.types(threadId).slice(-3)).toEqual(["approval", "approval_decided", "done"]);
    expect(await harness.runner.decide(threadId, approvalId, { decision: "allow" })).toBe(false);
  });

  it("are refused by a stop", async () => {
    const { answer, decisions } = makeAsking();
    const harness = await makeHarness(onTestFinished, answer);
    const threadId = await harness.newThread("thread_on", { approvals: "on" });
    const done = harness.ask(threadId, "go");
    await harness.waitFor(threadId, "approval");
    await harness.runner.stop(threadId);
    expect(await done).toMatchObject({ status: "stopped" });
    expect(decisions).toMatchObject([{ decision: "deny", by: "end", reason: "The run was stopped." }]);
    expect(harness.types(threadId).slice(-3)).toEqual(["approval", "approval_decided", "done"]);
  });

  it("are refused when nobody decides in time", async () => {
    const { answer, decisions } = makeAsking();
    const harness = await makeHarness(onTestFinished, answer, { limits: { approvalTimeoutMs: 10 } });
    const threadId = await harness.newThread("thread_on", { approvals: "on" });
    await harness.ask(threadId, "go");
    expect(decisions).toMatchObject([{ decision: "deny", by: "timeout" }]);
    expect(harness.store.log.read(threadId, { types: ["approval_decided"] })).toMatchObject([
      { decision: "deny", by: "timeout" },
    ]);
  });

  it("that an agent left open end with its run", async () => {
    const harness = await makeHarness(onTestFinished, async (request) => {
      void request.approve(call());
      return outcome("");
    });
    const threadId = await harness.newThread("thread_on", { approvals: "on" });
    await harness.ask(threadId, "go");
    expect(harness.types(threadId).slice(-3)).toEqual(["approval", "approval_decided", "done"]);
  });

  it("of a call that is given up are closed", async () => {
    const giveUp = new AbortController();
    const harness = await makeHarness(onTestFinished, async (request) => {
      const asking = request.approve(call({ parentCallId: "p1" }), { signal: giveUp.signal });
      giveUp.abort();
      expect(await asking).toMatchObject({ decision: "deny", by: "end" });
      return outcome("went on");
    });
    const threadId = await harness.newThread("thread_on", { approvals: "on" });
    expect(await harness.ask(threadId, "go")).toMatchObject({ response: "went on" });
  });

  it("may change the arguments to others that fit the tool", async () => {
    const { answer, decisions } = makeAsking();
    const harness = await makeHarness(onTestFinished, answer);
    const threadId = await harness.newThread("thread_on", {
      approvals: "on",
      approvalRules: [{ tool: "execute_python", input: { code: "import os*" }, permission: "deny" }],
    });
    const done = harness.ask(threadId, "go");
    const [open] = await untilOpen(harness, threadId);
    const decide = (decision: Parameters<typeof harness.runner.decide>[2]) =>
      harness.runner.decide(threadId, open?.approvalId ?? "", decision);
    await expect(decide({ decision: "allow", input: { code: 5 } })).rejects.toMatchObject({
      code: "invalid_argument",
      message: expect.stringContaining("code"),
    });
    await expect(decide({ decision: "deny", input: { code: "2" } })).rejects.toMatchObject({
      code: "invalid_argument",
    });
    await expect(decide({ decision: "allow", input: { code: "import os" } })).rejects.toMatchObject({
      code: "invalid_argument",
      message: expect.stringContaining("rule"),
    });
    expect(harness.runner.activity(threadId).approvals).toHaveLength(1);
    expect(await decide({ decision: "allow", input: { code: "2+2" } })).toBe(true);
    await done;
    expect(decisions).toMatchObject([{ decision: "allow", input: { code: "2+2" } }]);
    expect(harness.store.log.read(threadId, { types: ["approval_decided"] })).toMatchObject([
      { decision: "allow", by: "user", input: { code: "2+2" } },
    ]);
  });
});

describe("an approval that an earlier server asked for", () => {
  it("is not taken for one of a call with other arguments", async () => {
    const written: ThreadEvent[] = [];
    const approvals = new Approvals({
      write: async (event) => void written.push(event),
      judge: () => "ask",
      remember: async () => {},
      whileWaiting: (waiting) => waiting,
      timeoutMs: 60_000,
    });
    const at = new Date().toISOString();
    const { callId: call_id, tool, input } = call();
    approvals.restore({
      type: "approval",
      approval_id: "old",
      call_id,
      tool,
      input,
      id: 1,
      at,
      thread_id: "t",
    });
    const same = approvals.seek(call());
    const other = approvals.seek(call({ input: { code: "other" } }));
    expect(await same).toMatchObject({ decision: "deny", by: "end" });
    const [open] = approvals.open;
    expect(open).toMatchObject({ callId: call_id, input: { code: "other" } });
    expect(await approvals.decide("old", { decision: "allow" })).toBe(false);
    approvals.end("over");
    expect(await other).toMatchObject({ decision: "deny" });
  });
});

describe("rules", () => {
  const ask: PermissionRule = { tool: "*", permission: "ask" };
  const denyShell: PermissionRule = { tool: "execute_shell", permission: "deny" };

  it("of the thread come after the operator's, and the last one that fits counts", async () => {
    const { answer, decisions } = makeAsking(
      call({ tool: "execute_shell", input: { command: "git status" } }),
      call({ callId: "c2", tool: "execute_shell", input: { command: "rm x" } }),
      call({ callId: "c3" }),
    );
    const harness = await makeHarness(onTestFinished, answer, { approvalRules: () => [ask, denyShell] });
    const threadId = await harness.newThread("thread_r", {
      approvalRules: [
        { tool: "shell_exec", input: { command: "git *" }, permission: "allow" },
        { tool: "execute_python", permission: "allow" },
      ],
    });
    await harness.ask(threadId, "go");
    expect(decisions).toEqual([
      { decision: "allow" },
      { decision: "deny", by: "rule" },
      { decision: "allow" },
    ]);
    expect(harness.types(threadId)).not.toContain("approval");
  });

  it("hold for one agent where they name it", async () => {
    const { answer, decisions } = makeAsking(call(), call({ callId: "c2", agent: "task" }));
    const harness = await makeHarness(onTestFinished, answer);
    const threadId = await harness.newThread("thread_r", {
      approvalRules: [{ agent: "task", tool: "*", permission: "deny" }],
    });
    await harness.ask(threadId, "go");
    expect(decisions).toEqual([{ decision: "allow" }, { decision: "deny", by: "rule" }]);
  });

  it("are added by a decision that is to be remembered, and decide what else is open", async () => {
    const inner = { parentCallId: "p1" };
    const { answer, decisions } = makeAsking(
      call(inner),
      call({ callId: "c2", ...inner }),
      call({ callId: "c3", input: { code: "other" }, ...inner }),
    );
    const harness = await makeHarness(onTestFinished, answer);
    const threadId = await harness.newThread("thread_on", { approvals: "on" });
    const done = harness.ask(threadId, "go");
    const [first, , third] = await untilOpen(harness, threadId, 3);
    const remember = { decision: "allow", remember: "call" } as const;
    expect(await harness.runner.decide(threadId, first?.approvalId ?? "", remember)).toBe(true);
    expect(harness.runner.activity(threadId).approvals).toEqual([third]);
    expect(harness.store.threads.get(threadId)?.settings.approvalRules).toEqual([
      { agent: "main", tool: "execute_python", input: { code: "1+1" }, exact: true, permission: "allow" },
    ]);
    await harness.runner.decide(threadId, third?.approvalId ?? "", { decision: "deny" });
    await done;
    expect(decisions.map(({ decision, by }) => [decision, by])).toEqual([
      ["allow", "user"],
      ["allow", "rule"],
      ["deny", "user"],
    ]);
    const again = harness.ask(threadId, "again");
    const [only] = await untilOpen(harness, threadId);
    expect(only).toMatchObject({ callId: "c3" });
    await harness.runner.decide(threadId, only?.approvalId ?? "", { decision: "deny" });
    await again;
  });

  it("that are too long to be kept leave the question open", async () => {
    const { answer } = makeAsking(call({ input: { code: "x".repeat(20_000) } }));
    const harness = await makeHarness(onTestFinished, answer);
    const threadId = await harness.newThread("thread_on", { approvals: "on" });
    const done = harness.ask(threadId, "go");
    const [open] = await untilOpen(harness, threadId);
    const decide = (remember: "call" | "tool") =>
      harness.runner.decide(threadId, open?.approvalId ?? "", { decision: "allow", remember });
    await expect(decide("call")).rejects.toMatchObject({ code: "invalid_argument" });
    expect(harness.runner.activity(threadId).approvals).toHaveLength(1);
    expect(await decide("tool")).toBe(true);
    await done;
  });

  it("that change while a question is open decide it", async () => {
    const { answer, decisions } = makeAsking();
    const harness = await makeHarness(onTestFinished, answer);
    const threadId = await harness.newThread("thread_on", { approvals: "on" });
    const done = harness.ask(threadId, "go");
    await untilOpen(harness, threadId);
    await harness.store.threads.update(threadId, { settings: { approvals: "off" } });
    harness.runner.reconsider(threadId);
    await done;
    expect(decisions).toMatchObject([{ decision: "allow", by: "rule" }]);
  });
});
