import type { AnswerRequest, Approval } from "@atoll/agent";
import type { StoredEvent, ThreadEvent } from "@atoll/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Store } from "../store/contract.ts";
import { message, openTemporaryStore, token } from "../store/temporary-store.harness.ts";
import { type Answer, makeHarness, outcome } from "./threads.harness.ts";

const never = new AbortController().signal;
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

const started: ThreadEvent = { type: "run_started", run_id: "run_1", message_id: "m1", model: "openai:gpt" };
const toolCall = (callId: string, code: string, parent?: string): ThreadEvent => ({
  type: "tool_call",
  call_id: callId,
  tool: "execute_python",
  input: { code },
  parent_call_id: parent,
});
const toolResult = (callId: string, output: string): ThreadEvent => ({
  type: "tool_result",
  call_id: callId,
  tool: "execute_python",
  output,
  is_error: false,
  duration_ms: 1,
});
const approval = (callId: string, expiresAt: string, parent?: string): ThreadEvent => ({
  type: "approval",
  approval_id: `approval_${callId}`,
  call_id: callId,
  tool: "execute_python",
  input: { code: "2" },
  agent: "main",
  expires_at: expiresAt,
  parent_call_id: parent,
});

/** Asks for every call without a result, as an agent does that goes on from the log. */
function makeResuming(): { answer: Answer; requests: AnswerRequest[]; approvals: Approval[] } {
  const requests: AnswerRequest[] = [];
  const approvals: Approval[] = [];
  const answer: Answer = async (request) => {
    requests.push(request);
    for (const part of request.resume?.parts ?? []) {
      if (part.kind !== "call" || part.output !== undefined) continue;
      approvals.push(await request.approve({ ...part, agent: "main" }));
      const told = approvals.at(-1)?.decision ?? "";
      request.emit(toolResult(part.callId, told) as never);
    }
    request.emit({ type: "token", text: " and after" });
    const said = request.resume?.parts.map((part) => (part.kind === "text" ? part.text : "")).join("") ?? "";
    return outcome(`${said} and after`, request.signal.aborted ? "stopped" : "completed");
  };
  return { answer, requests, approvals };
}

/** A thread whose server died after these events. */
async function leaveBehind(events: readonly ThreadEvent[]): Promise<Store> {
  const store = await openTemporaryStore(onTestFinished);
  await store.threads.create({ id: "thread_a", fileIds: [], settings: { approvals: "on" } });
  const isOfRun = ({ type }: ThreadEvent) => !type.startsWith("message") && type !== "data";
  await store.log.append(
    "thread_a",
    events.map((event) => (isOfRun(event) ? { event, runId: "run_1" } : { event })),
  );
  return store;
}

const data: ThreadEvent = {
  type: "data",
  data: {
    tables: [],
    others: [{ file: "/data/transactions.csv", name: "transactions.csv", size_bytes: 0 }],
  },
};

const waiting = (expiresAt = inAnHour()): ThreadEvent[] => [
  data,
  message("m1", "go").event,
  started,
  token("before").event,
  toolCall("c1", "1"),
  toolResult("c1", "one"),
  toolCall("c2", "2"),
  toolCall("c3", "3"),
  approval("c2", expiresAt),
];

describe("a run that waited for a user when its server ended", () => {
  it("shows its question as before, and goes on from the log when it is answered", async () => {
    const store = await leaveBehind(waiting());
    const { answer, requests, approvals } = makeResuming();
    const harness = await makeHarness(onTestFinished, answer, { store });
    await harness.runner.recover();
    expect(harness.runner.activity("thread_a")).toMatchObject({
      runId: "run_1",
      messageId: "m1",
      approvals: [{ approvalId: "approval_c2", tool: "execute_python", input: { code: "2" } }],
    });
    expect(requests).toEqual([]);
    expect(harness.sandboxes.calls).toEqual([]);

    const done = harness.runner.waitForDone("thread_a", "m1", never);
    expect(await harness.runner.decide("thread_a", "approval_c2", { decision: "allow" })).toBe(true);
    const third = await harness.waitFor("thread_a", "approval_decided");
    expect(third).toMatchObject({ approval_id: "approval_c2", by: "user", run_id: "run_1" });
    const [next] = await untilAsked(store, "c3");
    await harness.runner.decide("thread_a", next ?? "", { decision: "deny" });
    expect(await done).toMatchObject({
      run_id: "run_1",
      message_id: "m1",
      status: "completed",
      response: "before and after",
    });
    expect(approvals).toMatchObject([
      { decision: "allow", hasWaited: true },
      { decision: "deny", by: "user" },
    ]);
    expect(requests[0]).toMatchObject({
      message: "go",
      history: [],
      resume: {
        steps: 2,
        parts: [
          { kind: "text", text: "before" },
          { kind: "call", callId: "c1", output: "one" },
          { kind: "call", callId: "c2", input: { code: "2" } },
          { kind: "call", callId: "c3" },
        ],
      },
    });
    const types = store.log.read("thread_a", { runId: "run_1" }).map(({ type }) => type);
    expect(types.filter((type) => type === "run_started" || type === "done")).toEqual([
      "run_started",
      "done",
    ]);
    await expect.poll(() => store.log.unsettled()).toEqual([]);
  });

  it("is refused at once when its time was up meanwhile", async () => {
    const store = await leaveBehind(waiting(new Date(Date.now() - 1000).toISOString()).toSpliced(7, 1));
    const { answer, approvals } = makeResuming();
    const harness = await makeHarness(onTestFinished, answer, { store });
    await harness.runner.recover();
    expect(await harness.runner.waitForDone("thread_a", "m1", never)).toMatchObject({ status: "completed" });
    expect(approvals).toMatchObject([{ decision: "deny", by: "timeout" }]);
  });

  it("can be stopped, and keeps what it had said", async () => {
    const store = await leaveBehind(waiting());
    const { answer, requests } = makeResuming();
    const harness = await makeHarness(onTestFinished, answer, { store });
    await harness.runner.recover();
    const done = harness.runner.waitForDone("thread_a", "m1", never);
    expect(await harness.runner.stop("thread_a")).toBe(true);
    expect(await done).toMatchObject({ status: "stopped", response: "before", model: "openai:gpt" });
    expect(requests).toEqual([]);
    expect(store.log.read("thread_a", { types: ["approval_decided"] })).toMatchObject([{ by: "end" }]);
  });

  it("can be removed with its thread", async () => {
    const store = await leaveBehind(waiting());
    const harness = await makeHarness(onTestFinished, makeResuming().answer, { store });
    await harness.runner.recover();
    expect(await harness.runner.remove("thread_a")).toBe(true);
    expect(store.threads.get("thread_a")).toBeUndefined();
  });

  it("keeps the messages behind it waiting, and takes those that were to steer it", async () => {
    const store = await leaveBehind([
      ...waiting().toSpliced(7, 1),
      message("m2", "later").event,
      { ...message("m3", "turn left").event, mode: "steer" } as ThreadEvent,
    ]);
    const { answer, requests } = makeResuming();
    const taken: string[] = [];
    const harness = await makeHarness(
      onTestFinished,
      async (request) => {
        if (request.resume) taken.push(...request.takeSteering().map(({ text }) => text));
        return answer(request);
      },
      { store },
    );
    await harness.runner.recover();
    expect(harness.runner.activity("thread_a").queued).toEqual(["m3", "m2"]);
    const { messageId } = await harness.runner.submit("thread_a", { text: "turn right", mode: "steer" });
    await harness.runner.decide("thread_a", "approval_c2", { decision: "allow" });
    const [first, steering, second] = await Promise.all(
      ["m1", messageId, "m2"].map((id) => harness.runner.waitForDone("thread_a", id, never)),
    );
    expect(taken).toEqual(["turn left", "turn right"]);
    expect([first?.run_id, steering?.run_id]).toEqual(["run_1", "run_1"]);
    expect(second?.run_id).not.toBe("run_1");
    expect(requests[1]).toMatchObject({
      message: "later",
      history: [{ user: "go", status: "completed" }],
    });
  });

  it("of a program goes on without it: what it asked is refused, and the model hears why", async () => {
    const store = await leaveBehind([
      data,
      message("m1", "go").event,
      started,
      toolCall("c1", "program"),
      toolCall("i1", "1", "c1"),
      { ...toolResult("i1", "inner"), parent_call_id: "c1" } as ThreadEvent,
      toolCall("i2", "2", "c1"),
      approval("i2", inAnHour(), "c1"),
    ]);
    const { answer, requests } = makeResuming();
    const harness = await makeHarness(onTestFinished, answer, { store });
    await harness.runner.recover();
    expect(await harness.runner.waitForDone("thread_a", "m1", never)).toMatchObject({ status: "completed" });
    expect(requests[0]?.resume).toMatchObject({
      hasLeftovers: true,
      parts: [{ kind: "call", callId: "c1", isError: true, output: expect.stringContaining("restart") }],
    });
    const events = store.log.read("thread_a", { types: ["approval_decided", "tool_result"] });
    expect(events.slice(1)).toMatchObject([
      { approval_id: "approval_i2", decision: "deny", by: "end" },
      { call_id: "i2", is_error: true, parent_call_id: "c1" },
      { call_id: "c1", is_error: true },
    ]);
  });

  it("is closed when its call was running: nobody knows what came of it", async () => {
    const decided: ThreadEvent = {
      type: "approval_decided",
      approval_id: "approval_c2",
      call_id: "c2",
      decision: "allow",
      by: "user",
    };
    const store = await leaveBehind([...waiting(), decided]);
    const { answer, requests } = makeResuming();
    const harness = await makeHarness(onTestFinished, answer, { store });
    await harness.runner.recover();
    expect(store.log.read("thread_a").at(-1)).toMatchObject({ type: "done", status: "interrupted" });
    expect(requests).toEqual([]);
  });
});

describe("a server that closes while a run waits for a user", () => {
  it("leaves it to wait for the next one", async () => {
    const store = await openTemporaryStore(onTestFinished);
    const asking: Answer = async (request) => {
      request.emit({ type: "token", text: "before" });
      const call = { callId: "c1", tool: "execute_python", input: { code: "1" } };
      request.emit({ type: "tool_call", call_id: call.callId, tool: call.tool, input: call.input });
      await request.approve({ ...call, agent: "main" });
      return outcome("unreachable", "stopped");
    };
    const first = await makeHarness(onTestFinished, asking, { store });
    await first.newThread("thread_a", { approvals: "on" });
    const { messageId } = await first.runner.submit("thread_a", { text: "go" });
    const blocked = first.runner.waitForDone("thread_a", messageId, never);
    blocked.catch(() => {});
    await first.waitFor("thread_a", "approval");
    await first.runner.close();
    await expect(blocked).rejects.toMatchObject({ code: "aborted", isRetryable: true });
    expect(first.types("thread_a").slice(-1)).toEqual(["approval"]);
    expect(first.faults).toEqual([]);

    const { answer, approvals } = makeResuming();
    const second = await makeHarness(onTestFinished, answer, { store });
    await second.runner.recover();
    const [open] = second.runner.activity("thread_a").approvals;
    await second.runner.decide("thread_a", open?.approvalId ?? "", { decision: "allow" });
    expect(await second.runner.waitForDone("thread_a", messageId, never)).toMatchObject({
      status: "completed",
      response: "before and after",
    });
    expect(approvals).toMatchObject([{ decision: "allow" }]);
  });
});

/** Ids of open questions about this call. */
async function untilAsked(store: Store, callId: string): Promise<string[]> {
  for await (const event of store.log.follow("thread_a", { after: 0, signal: never })) {
    if (isAbout(event, callId)) return [event.approval_id];
  }
  return [];
}

function isAbout(event: StoredEvent, callId: string): event is StoredEvent & { type: "approval" } {
  return event.type === "approval" && event.call_id === callId;
}
