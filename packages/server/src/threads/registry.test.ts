import { describe, expect, it, onTestFinished } from "vitest";
import { AtollError } from "@atoll/sandbox";
import { echo, makeHarness, outcome } from "./threads.harness.ts";

const never = new AbortController().signal;

describe("a run", () => {
  it("is told in the log from the message to one done", async () => {
    const harness = await makeHarness(onTestFinished, echo);
    const threadId = await harness.newThread();
    const done = await harness.ask(threadId, "hello there");
    expect(harness.types(threadId)).toEqual([
      "message",
      "run_started",
      "status",
      "data",
      "token",
      "token",
      "done",
    ]);
    const [message, started] = harness.store.log.read(threadId);
    expect(started).toMatchObject({
      message_id: (message as { message_id: string }).message_id,
      model: "built-in",
    });
    expect(done).toMatchObject({
      thread_id: threadId,
      run_id: started?.run_id,
      message_id: (message as { message_id: string }).message_id,
      status: "completed",
      response: "hello there",
    });
    await expect.poll(() => harness.store.log.unsettled()).toEqual([]);
    expect(harness.runner.activity(threadId)).toEqual({ queued: [], approvals: [] });
  });

  it("whose agent throws ends with an error that tells no secret, and the next one goes on", async () => {
    let isFirst = true;
    const harness = await makeHarness(onTestFinished, async (request) => {
      request.emit({ type: "token", text: "half" });
      if (!isFirst) return outcome("whole");
      isFirst = false;
      throw new Error("at /root/secret/path");
    });
    const threadId = await harness.newThread();
    const [failed, next] = await Promise.all([harness.ask(threadId, "one"), harness.ask(threadId, "two")]);
    expect(failed).toMatchObject({ status: "failed", response: "half" });
    expect(next).toMatchObject({ status: "completed" });
    const errors = harness.store.log.read(threadId, { types: ["error"] });
    expect(errors).toEqual([expect.objectContaining({ code: "internal", run_id: failed.run_id })]);
    expect(JSON.stringify(errors)).not.toContain("secret");
    expect(harness.faults).toEqual([expect.objectContaining({ message: "a run failed", threadId })]);
  });

  it("without a model that can be used fails with the reason", async () => {
    const harness = await makeHarness(onTestFinished, echo, {
      resolveModel: () => {
        throw new AtollError("invalid_argument", "OPENAI_API_KEY is not set");
      },
    });
    const threadId = await harness.newThread("thread_m", { model: "openai:gpt" });
    expect(await harness.ask(threadId, "one")).toMatchObject({ status: "failed", model: "openai:gpt" });
    expect(harness.types(threadId)).toEqual(["message", "run_started", "error", "done"]);
    expect(harness.store.log.read(threadId, { types: ["error"] })[0]).toMatchObject({
      code: "invalid_argument",
    });
  });

  it("takes nothing from its agent after the end, and no done of the agent's own", async () => {
    let late = () => {};
    const harness = await makeHarness(onTestFinished, async (request) => {
      const ids = { thread_id: "x", run_id: "x", message_id: "x" };
      request.emit({ ...outcome("not mine to say"), type: "done", ...ids });
      late = () => request.emit({ type: "token", text: "late" });
      return outcome("end");
    });
    const threadId = await harness.newThread();
    await harness.ask(threadId, "one");
    late();
    await harness.ask(threadId, "two");
    expect(harness.types(threadId).filter((type) => type === "done")).toHaveLength(2);
    expect(harness.types(threadId)).not.toContain("token");
  });

  it("is given the turns before it", async () => {
    const histories: unknown[] = [];
    const harness = await makeHarness(onTestFinished, async (request) => {
      histories.push(request.history);
      return echo(request);
    });
    const threadId = await harness.newThread();
    await Promise.all(["one", "two", "three"].map((text) => harness.ask(threadId, text)));
    const turn = (text: string) => ({ user: text, status: "completed", parts: [{ kind: "text", text }] });
    expect(histories).toEqual([[], [turn("one")], [turn("one"), turn("two")]]);
  });

  it("gives the thread a title unless the user has, and makes its texts searchable", async () => {
    const harness = await makeHarness(onTestFinished, async (request) => {
      request.emit({ type: "title", title: `About ${request.message}` });
      return outcome("The answer is groceries.");
    });
    const { threads } = harness.store;
    const threadId = await harness.newThread();
    await harness.ask(threadId, "spending");
    expect(threads.get(threadId)?.title).toBe("About spending");
    await threads.update(threadId, { title: "Mine" });
    await harness.ask(threadId, "income");
    expect(threads.get(threadId)?.title).toBe("Mine");
    expect(harness.types(threadId).filter((type) => type === "title")).toHaveLength(1);
    for (const query of ["spending", "groceries"]) {
      const found = await threads.list({ limit: 5, query });
      expect(found.threads.map((thread) => thread.id)).toEqual([threadId]);
    }
  });

  it("keeps images with the thread", async () => {
    const harness = await makeHarness(onTestFinished, async (request) =>
      outcome(request.keepImage({ mime: "image/png", base64: Buffer.from("png").toString("base64") }) ?? ""),
    );
    const threadId = await harness.newThread();
    const { response } = await harness.ask(threadId, "draw");
    const [, hash = ""] = /^\/thread\/thread_0\/blobs\/([0-9a-f]{64})$/.exec(response) ?? [];
    expect(await new Response(harness.store.blobs.read(threadId, hash)).text()).toBe("png");
  });
});

describe("messages", () => {
  it("of one thread are answered one at a time, in their order", async () => {
    let running = 0;
    const order: string[] = [];
    const harness = await makeHarness(onTestFinished, async (request) => {
      running += 1;
      expect(running).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(request.message);
      running -= 1;
      return outcome("");
    });
    const threadId = await harness.newThread();
    const texts = Array.from({ length: 20 }, (_, n) => `message ${n}`);
    const submitted = await Promise.all(texts.map((text) => harness.runner.submit(threadId, { text })));
    expect(submitted.map(({ position }) => position)).toEqual(texts.map((_, n) => n));
    await Promise.all(
      submitted.map(({ messageId }) => harness.runner.waitForDone(threadId, messageId, never)),
    );
    expect(order).toEqual(texts);
  });

  it("of 200 threads are all answered at once, each in its own log", async () => {
    const harness = await makeHarness(onTestFinished, echo);
    const ids = await Promise.all(Array.from({ length: 200 }, () => harness.newThread()));
    const done = await Promise.all(
      ids.flatMap((id) => [harness.ask(id, `first ${id}`), harness.ask(id, `second ${id}`)]),
    );
    expect(done.map(({ response }) => response)).toEqual(
      ids.flatMap((id) => [`first ${id}`, `second ${id}`]),
    );
    for (const id of ids) {
      expect(harness.types(id).filter((type) => type === "done")).toHaveLength(2);
      expect(harness.store.log.read(id).map((event) => event.thread_id)).not.toContain(undefined);
    }
    expect(harness.sandboxes.calls.filter((call) => call.startsWith("load"))).toHaveLength(200);
  });

  it("of many threads share a limited number of runs fairly", async () => {
    let running = 0;
    let most = 0;
    const order: string[] = [];
    const harness = await makeHarness(
      onTestFinished,
      async (request) => {
        running += 1;
        most = Math.max(most, running);
        order.push(request.message);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return outcome("");
      },
      { limits: { maxRunsAtOnce: 1 } },
    );
    const [greedy, modest] = [await harness.newThread(), await harness.newThread()];
    await Promise.all([
      ...["g1", "g2", "g3"].map((text) => harness.ask(greedy, text)),
      harness.ask(modest, "m1"),
    ]);
    expect(most).toBe(1);
    expect(order).toEqual(["g1", "m1", "g2", "g3"]);
  });

  it("past the limit of a queue are refused and not stored", async () => {
    const gate = Promise.withResolvers<void>();
    const harness = await makeHarness(
      onTestFinished,
      async () => {
        await gate.promise;
        return outcome("");
      },
      { limits: { maxQueued: 2 } },
    );
    const threadId = await harness.newThread();
    const first = harness.ask(threadId, "runs");
    await harness.waitFor(threadId, "data");
    const waiting = [harness.ask(threadId, "waits"), harness.ask(threadId, "waits")];
    await expect(harness.runner.submit(threadId, { text: "too many" })).rejects.toMatchObject({
      code: "busy",
    });
    gate.resolve();
    await Promise.all([first, ...waiting]);
    expect(harness.store.threads.get(threadId)?.messageCount).toBe(3);
  });

  it("can be taken back until they run", async () => {
    const gate = Promise.withResolvers<void>();
    const answered: string[] = [];
    const harness = await makeHarness(onTestFinished, async (request) => {
      answered.push(request.message);
      await gate.promise;
      return outcome("");
    });
    const threadId = await harness.newThread();
    const first = await harness.runner.submit(threadId, { text: "one" });
    const second = await harness.runner.submit(threadId, { text: "two" });
    expect(harness.runner.activity(threadId)).toMatchObject({
      messageId: first.messageId,
      queued: [second.messageId],
    });
    const waiting = harness.runner.waitForDone(threadId, second.messageId, never);
    const rejected = waiting.catch((error: unknown) => error);
    expect(await harness.runner.withdraw(threadId, second.messageId)).toBe(true);
    expect(await harness.runner.withdraw(threadId, second.messageId)).toBe(false);
    expect(await harness.runner.withdraw(threadId, first.messageId)).toBe(false);
    expect(await rejected).toMatchObject({ code: "aborted" });
    gate.resolve();
    await harness.runner.waitForDone(threadId, first.messageId, never);
    const late = harness.runner.waitForDone(threadId, second.messageId, never);
    await expect(late).rejects.toMatchObject({ code: "aborted" });
    expect(answered).toEqual(["one"]);
  });

  it("to a thread that is not there are refused", async () => {
    const harness = await makeHarness(onTestFinished, echo);
    await expect(harness.runner.submit("nobody", { text: "x" })).rejects.toMatchObject({ code: "not_found" });
    await expect(harness.runner.waitForDone("nobody", "m", never)).rejects.toMatchObject({
      code: "not_found",
    });
    const threadId = await harness.newThread();
    await expect(harness.runner.waitForDone(threadId, "m", never)).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("can be waited for long after, and by one who then gives up", async () => {
    const harness = await makeHarness(onTestFinished, echo);
    const threadId = await harness.newThread();
    const done = await harness.ask(threadId, "one");
    expect(await harness.runner.waitForDone(threadId, done.message_id, never)).toEqual(done);
    const leave = new AbortController();
    harness.sandboxes.gate = new Promise(() => {});
    const other = await harness.newThread();
    const { messageId } = await harness.runner.submit(other, { text: "two" });
    const waiting = harness.runner.waitForDone(other, messageId, leave.signal);
    leave.abort();
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
    expect(harness.runner.activity(other).messageId).toBe(messageId);
  });
});
