import { describe, expect, it, onTestFinished } from "vitest";
import { copyEvents } from "./branch-events.ts";
import { cutLog } from "./branch-log.ts";
import { type Answer, type Harness, makeHarness, outcome, untilStopped } from "../threads.harness.ts";

/** Runs code, shows an image, says two words. */
const work: Answer = async (request) => {
  if (request.message === "wait") return untilStopped(request);
  const { sandbox } = await request.wake();
  const base64 = Buffer.from(request.message).toString("base64");
  const url = request.keepImage({ mime: "image/png", base64 }) ?? "none";
  if (request.message.startsWith("run")) {
    await sandbox.python.run("1");
    request.emit({ type: "tool_call", call_id: "c", tool: "execute_python", input: {} });
    request.emit({ type: "result", call_id: "c", is_main: true, image: { mime: "image/png", url } });
  }
  for (const text of ["so", " be", " it"]) request.emit({ type: "token", text });
  return outcome("so be it");
};

async function talk(harness: Harness, threadId: string, ...messages: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const message of messages) ids.push((await harness.ask(threadId, message)).message_id);
  return ids;
}

describe("a branch", () => {
  it("has the log up to the end of its turn, and says where it comes from", async () => {
    const harness = await makeHarness(onTestFinished, work);
    const threadId = await harness.newThread();
    await harness.store.threads.update(threadId, { title: "Spending" });
    const [, second = ""] = await talk(harness, threadId, "run 1", "run 2", "run 3");
    const before = harness.store.log.read(threadId);
    const { threadId: id, ...state } = await harness.runner.branch(threadId, { messageId: second });
    expect(state).toMatchObject({
      isExact: true,
      stateOf: { messageId: second, isBefore: false },
      restored: ["df"],
    });
    expect(harness.store.threads.get(id)).toMatchObject({
      title: "Spending (branch)",
      parent: { threadId, messageId: second },
      messageCount: 2,
    });
    const events = harness.store.log.read(id);
    expect(events.at(-1)).toMatchObject({ type: "sandbox", text: expect.stringContaining("branch") });
    expect(events.filter(({ type }) => type === "done")).toHaveLength(2);
    expect(JSON.stringify(events)).not.toContain(threadId);
    expect(events.flatMap((event) => (event.type === "token" ? event.text : []))).toEqual([
      "so be it",
      "so be it",
    ]);
    const [image] = events.filter((event) => event.type === "result").map((event) => event.image?.url ?? "");
    expect(image).toMatch(`/thread/${id}/blobs/`);
    expect(harness.store.blobs.stat(id, image?.split("/").at(-1) ?? "")).toEqual({ sizeBytes: 5 });
    const times = (all: typeof before) => all.filter(({ type }) => type === "done").map(({ at }) => at);
    expect(times(events)).toEqual(times(before).slice(0, 2));
    expect(harness.store.log.read(threadId)).toEqual(before);
    expect((await harness.store.threads.list({ limit: 9, query: "run 2" })).threads).toHaveLength(2);
  });

  it("before a message has what came before it, so that another can be sent in its place", async () => {
    const harness = await makeHarness(onTestFinished, work);
    const threadId = await harness.newThread();
    const [first = "", second = ""] = await talk(harness, threadId, "run 1", "run 2");
    const back = await harness.runner.branch(threadId, { messageId: second, isBefore: true });
    expect(back).toMatchObject({ isExact: true, stateOf: { messageId: first, isBefore: false } });
    expect(textsOf(harness, back.threadId)).toEqual(["run 1"]);
    const start = await harness.runner.branch(threadId, { messageId: first, isBefore: true });
    expect(start).toMatchObject({ isExact: true, restored: [] });
    expect(start.stateOf).toBeUndefined();
    expect(textsOf(harness, start.threadId)).toEqual([]);
    expect(await harness.ask(start.threadId, "run another")).toMatchObject({ status: "completed" });
  });

  it("of a turn whose checkpoint is gone has the nearest state, and says so unless it is the same", async () => {
    const harness = await makeHarness(onTestFinished, work);
    const threadId = await harness.newThread();
    const [first = ""] = await talk(harness, threadId, "run 1");
    harness.sandboxes.forgetCheckpoints = true;
    const [talked = "", ran = ""] = await talk(harness, threadId, "talk", "run 2");
    expect(await harness.runner.branch(threadId, { messageId: talked })).toMatchObject({
      isExact: true,
      stateOf: { messageId: first },
    });
    const other = await harness.runner.branch(threadId, { messageId: ran });
    expect(other).toMatchObject({ isExact: false, stateOf: { messageId: first } });
    expect(harness.store.log.read(other.threadId, { types: ["sandbox"] }).at(-1)).toMatchObject({
      text: expect.stringContaining("2030-01-01"),
    });
  });

  it("is not exact when variables are lost", async () => {
    const harness = await makeHarness(onTestFinished, work);
    const threadId = await harness.newThread();
    const [first = ""] = await talk(harness, threadId, "run 1");
    const lost = { name: "conn", type: "Connection", reason: "cannot be pickled" };
    harness.sandboxes.lost.push(lost);
    expect(await harness.runner.branch(threadId, { messageId: first })).toMatchObject({
      isExact: false,
      lost: [lost],
    });
  });

  it("is made while the thread answers, without that answer and what waits", async () => {
    const harness = await makeHarness(onTestFinished, work);
    const threadId = await harness.newThread();
    const [first = ""] = await talk(harness, threadId, "run 1");
    const { messageId: running } = await harness.runner.submit(threadId, { text: "wait" });
    const { messageId: waiting } = await harness.runner.submit(threadId, { text: "later" });
    await expect.poll(() => harness.types(threadId).filter((type) => type === "run_started")).toHaveLength(2);
    for (const [messageId, isBefore] of [
      [first, false],
      [running, true],
      [waiting, true],
    ] as const) {
      const { threadId: id } = await harness.runner.branch(threadId, { messageId, isBefore });
      expect(textsOf(harness, id)).toEqual(["run 1"]);
      expect(harness.runner.activity(id)).toEqual({ queued: [], approvals: [] });
    }
    for (const messageId of [running, waiting])
      await expect(harness.runner.branch(threadId, { messageId })).rejects.toMatchObject({ code: "busy" });
    await harness.runner.stop(threadId);
  });

  it("is refused for what is not there, and leaves nothing when it fails", async () => {
    const harness = await makeHarness(onTestFinished, work);
    const [one, other] = [await harness.newThread(), await harness.newThread()];
    const [foreign = ""] = await talk(harness, other, "run 1");
    const [own = ""] = await talk(harness, one, "run 1");
    for (const messageId of [foreign, "msg_none", "", "../x"])
      await expect(harness.runner.branch(one, { messageId })).rejects.toMatchObject({ code: "not_found" });
    await expect(harness.runner.branch("thread_no", { messageId: own })).rejects.toMatchObject({
      code: "not_found",
    });
    harness.sandboxes.failure = new Error("no sandbox");
    await expect(harness.runner.branch(one, { messageId: own })).rejects.toThrow("no sandbox");
    expect(await harness.store.threads.count()).toBe(2);
    const [, newId = ""] =
      /branch \S+ (\S+)$/.exec(harness.sandboxes.calls.findLast((c) => c.startsWith("branch")) ?? "") ?? [];
    expect(harness.sandboxes.calls).toContain(`remove ${newId}`);
    harness.sandboxes.failure = undefined;
    const removing = harness.runner.remove(one);
    await expect(harness.runner.branch(one, { messageId: own })).rejects.toMatchObject({ code: "not_found" });
    await removing;
  });
});

describe("the log of a branch", () => {
  const at = "2030-01-01T00:00:00.000Z";
  const event = (id: number, own: object, runId?: string) =>
    ({ id, thread_id: "source", at, run_id: runId, ...own }) as never;

  it("takes a message that reached a run in its middle for that run", () => {
    const read = () => [
      event(1, { type: "message", message_id: "a", text: "a" }),
      event(2, { type: "run_started", message_id: "a", model: "m" }, "r1"),
      event(3, { type: "message", message_id: "b", text: "b" }),
      event(4, { type: "message", message_id: "c", text: "c" }),
      event(5, { type: "steered", message_id: "b" }, "r1"),
      event(6, { type: "done", message_id: "a", thread_id: "source" }, "r1"),
      event(7, { type: "message_removed", message_id: "c" }),
    ];
    const ids = (events: readonly { id: number }[]) => events.map(({ id }) => id);
    expect(ids(cutLog({ read }, "source", { messageId: "b", isBefore: false }).events)).toEqual([
      1, 2, 3, 5, 6,
    ]);
    expect(ids(cutLog({ read }, "source", { messageId: "b", isBefore: true }).events)).toEqual([]);
    expect(() => cutLog({ read }, "source", { messageId: "c", isBefore: true })).toThrow("no message");
  });

  it("joins pieces of one text and no others", () => {
    const output = (id: number, call: string, stream: string) =>
      event(id, { type: "output", call_id: call, stream, text: String(id) }, "r1");
    const copied = copyEvents(
      [
        output(1, "c1", "stdout"),
        output(2, "c1", "stdout"),
        output(3, "c1", "stderr"),
        output(4, "c2", "stderr"),
      ],
      "branch",
    );
    expect(copied.map(({ event }) => event.type === "output" && event.text)).toEqual(["12", "3", "4"]);
  });
});

function textsOf(harness: Harness, threadId: string): string[] {
  const events = harness.store.log.read(threadId, { types: ["message"] });
  return events.map((event) => (event.type === "message" ? event.text : ""));
}
