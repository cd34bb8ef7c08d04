import { describe, expect, it, onTestFinished } from "vitest";
import { AtollError } from "@atoll/sandbox";
import { echo, makeBench, outcome } from "./threads.harness.ts";

const never = new AbortController().signal;

describe("a run", () => {
  it("is told in the log from the message to one done", async () => {
    const bench = await makeBench(onTestFinished, echo);
    const threadId = await bench.newThread();
    const done = await bench.ask(threadId, "hello there");
    expect(bench.types(threadId)).toEqual([
      "message",
      "run_started",
      "status",
      "data",
      "token",
      "token",
      "done",
    ]);
    const [message, started] = bench.store.log.read(threadId);
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
    await expect.poll(() => bench.store.log.unsettled()).toEqual([]);
    expect(bench.runner.activity(threadId)).toEqual({ queued: [], approvals: [] });
  });

  it("whose agent throws ends with an error that tells no secret, and the next one goes on", async () => {
    let isFirst = true;
    const bench = await makeBench(onTestFinished, async (request) => {
      request.emit({ type: "token", text: "half" });
      if (!isFirst) return outcome("whole");
      isFirst = false;
      throw new Error("at /root/secret/path");
    });
    const threadId = await bench.newThread();
    const [failed, next] = await Promise.all([bench.ask(threadId, "one"), bench.ask(threadId, "two")]);
    expect(failed).toMatchObject({ status: "failed", response: "half" });
    expect(next).toMatchObject({ status: "completed" });
    const errors = bench.store.log.read(threadId, { types: ["error"] });
    expect(errors).toEqual([expect.objectContaining({ code: "internal", run_id: failed.run_id })]);
    expect(JSON.stringify(errors)).not.toContain("secret");
    expect(bench.faults).toEqual([expect.objectContaining({ message: "a run failed", threadId })]);
  });

  it("without a model that can be used fails with the reason", async () => {
    const bench = await makeBench(onTestFinished, echo, {
      resolveModel: () => {
        throw new AtollError("invalid_argument", "OPENAI_API_KEY is not set");
      },
    });
    const threadId = await bench.newThread("thread_m", { model: "openai:gpt" });
    expect(await bench.ask(threadId, "one")).toMatchObject({ status: "failed", model: "openai:gpt" });
    expect(bench.types(threadId)).toEqual(["message", "run_started", "error", "done"]);
    expect(bench.store.log.read(threadId, { types: ["error"] })[0]).toMatchObject({
      code: "invalid_argument",
    });
  });

  it("takes nothing from its agent after the end, and no done of the agent's own", async () => {
    let late = () => {};
    const bench = await makeBench(onTestFinished, async (request) => {
      const ids = { thread_id: "x", run_id: "x", message_id: "x" };
      request.emit({ ...outcome("not mine to say"), type: "done", ...ids });
      late = () => request.emit({ type: "token", text: "late" });
      return outcome("end");
    });
    const threadId = await bench.newThread();
    await bench.ask(threadId, "one");
    late();
    await bench.ask(threadId, "two");
    expect(bench.types(threadId).filter((type) => type === "done")).toHaveLength(2);
    expect(bench.types(threadId)).not.toContain("token");
  });

  it("is given the turns before it", async () => {
    const histories: unknown[] = [];
    const bench = await makeBench(onTestFinished, async (request) => {
      histories.push(request.history);
      return echo(request);
    });
    const threadId = await bench.newThread();
    await Promise.all(["one", "two", "three"].map((text) => bench.ask(threadId, text)));
    const turn = (text: string) => ({ user: text, status: "completed", parts: [{ kind: "text", text }] });
    expect(histories).toEqual([[], [turn("one")], [turn("one"), turn("two")]]);
  });

  it("gives the thread a title unless the user has, and makes its texts searchable", async () => {
    const bench = await makeBench(onTestFinished, async (request) => {
      request.emit({ type: "title", title: `About ${request.message}` });
      return outcome("The answer is groceries.");
    });
    const { threads } = bench.store;
    const threadId = await bench.newThread();
    await bench.ask(threadId, "spending");
    expect(threads.get(threadId)?.title).toBe("About spending");
    await threads.update(threadId, { title: "Mine" });
    await bench.ask(threadId, "income");
    expect(threads.get(threadId)?.title).toBe("Mine");
    expect(bench.types(threadId).filter((type) => type === "title")).toHaveLength(1);
    for (const query of ["spending", "groceries"]) {
      const found = await threads.list({ limit: 5, query });
      expect(found.threads.map((thread) => thread.id)).toEqual([threadId]);
    }
  });

  it("keeps images with the thread", async () => {
    const bench = await makeBench(onTestFinished, async (request) =>
      outcome(request.keepImage({ mime: "image/png", base64: Buffer.from("png").toString("base64") }) ?? ""),
    );
    const threadId = await bench.newThread();
    const { response } = await bench.ask(threadId, "draw");
    const [, hash = ""] = /^\/thread\/thread_0\/blobs\/([0-9a-f]{64})$/.exec(response) ?? [];
    expect(await new Response(bench.store.blobs.read(threadId, hash)).text()).toBe("png");
  });
});

describe("messages", () => {
  it("of one thread are answered one at a time, in their order", async () => {
    let running = 0;
    const order: string[] = [];
    const bench = await makeBench(onTestFinished, async (request) => {
      running += 1;
      expect(running).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(request.message);
      running -= 1;
      return outcome("");
    });
    const threadId = await bench.newThread();
    const texts = Array.from({ length: 20 }, (_, n) => `message ${n}`);
    const submitted = await Promise.all(texts.map((text) => bench.runner.submit(threadId, { text })));
    expect(submitted.map(({ position }) => position)).toEqual(texts.map((_, n) => n));
    await Promise.all(submitted.map(({ messageId }) => bench.runner.waitForDone(threadId, messageId, never)));
    expect(order).toEqual(texts);
  });

  it("of 200 threads are all answered at once, each in its own log", async () => {
    const bench = await makeBench(onTestFinished, echo);
    const ids = await Promise.all(Array.from({ length: 200 }, () => bench.newThread()));
    const done = await Promise.all(
      ids.flatMap((id) => [bench.ask(id, `first ${id}`), bench.ask(id, `second ${id}`)]),
    );
    expect(done.map(({ response }) => response)).toEqual(
      ids.flatMap((id) => [`first ${id}`, `second ${id}`]),
    );
    for (const id of ids) {
      expect(bench.types(id).filter((type) => type === "done")).toHaveLength(2);
      expect(bench.store.log.read(id).map((event) => event.thread_id)).not.toContain(undefined);
    }
    expect(bench.sandboxes.calls.filter((call) => call.startsWith("load"))).toHaveLength(200);
  });

  it("of many threads share a limited number of runs fairly", async () => {
    let running = 0;
    let most = 0;
    const order: string[] = [];
    const bench = await makeBench(
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
    const [greedy, modest] = [await bench.newThread(), await bench.newThread()];
    await Promise.all([
      ...["g1", "g2", "g3"].map((text) => bench.ask(greedy, text)),
      bench.ask(modest, "m1"),
    ]);
    expect(most).toBe(1);
    expect(order).toEqual(["g1", "m1", "g2", "g3"]);
  });

  it("past the limit of a queue are refused and not stored", async () => {
    const gate = Promise.withResolvers<void>();
    const bench = await makeBench(
      onTestFinished,
      async () => {
        await gate.promise;
        return outcome("");
      },
      { limits: { maxQueued: 2 } },
    );
    const threadId = await bench.newThread();
    const first = bench.ask(threadId, "runs");
    await bench.waitFor(threadId, "data");
    const waiting = [bench.ask(threadId, "waits"), bench.ask(threadId, "waits")];
    await expect(bench.runner.submit(threadId, { text: "too many" })).rejects.toMatchObject({ code: "busy" });
    gate.resolve();
    await Promise.all([first, ...waiting]);
    expect(bench.store.threads.get(threadId)?.messageCount).toBe(3);
  });

  it("can be taken back until they run", async () => {
    const gate = Promise.withResolvers<void>();
    const answered: string[] = [];
    const bench = await makeBench(onTestFinished, async (request) => {
      answered.push(request.message);
      await gate.promise;
      return outcome("");
    });
    const threadId = await bench.newThread();
    const first = await bench.runner.submit(threadId, { text: "one" });
    const second = await bench.runner.submit(threadId, { text: "two" });
    expect(bench.runner.activity(threadId)).toMatchObject({
      messageId: first.messageId,
      queued: [second.messageId],
    });
    const waiting = bench.runner.waitForDone(threadId, second.messageId, never);
    const rejected = waiting.catch((error: unknown) => error);
    expect(await bench.runner.withdraw(threadId, second.messageId)).toBe(true);
    expect(await bench.runner.withdraw(threadId, second.messageId)).toBe(false);
    expect(await bench.runner.withdraw(threadId, first.messageId)).toBe(false);
    expect(await rejected).toMatchObject({ code: "aborted" });
    gate.resolve();
    await bench.runner.waitForDone(threadId, first.messageId, never);
    const late = bench.runner.waitForDone(threadId, second.messageId, never);
    await expect(late).rejects.toMatchObject({ code: "aborted" });
    expect(answered).toEqual(["one"]);
  });

  it("to a thread that is not there are refused", async () => {
    const bench = await makeBench(onTestFinished, echo);
    await expect(bench.runner.submit("nobody", { text: "x" })).rejects.toMatchObject({ code: "not_found" });
    await expect(bench.runner.waitForDone("nobody", "m", never)).rejects.toMatchObject({ code: "not_found" });
    const threadId = await bench.newThread();
    await expect(bench.runner.waitForDone(threadId, "m", never)).rejects.toMatchObject({ code: "not_found" });
  });

  it("can be waited for long after, and by one who then gives up", async () => {
    const bench = await makeBench(onTestFinished, echo);
    const threadId = await bench.newThread();
    const done = await bench.ask(threadId, "one");
    expect(await bench.runner.waitForDone(threadId, done.message_id, never)).toEqual(done);
    const leave = new AbortController();
    bench.sandboxes.gate = new Promise(() => {});
    const other = await bench.newThread();
    const { messageId } = await bench.runner.submit(other, { text: "two" });
    const waiting = bench.runner.waitForDone(other, messageId, leave.signal);
    leave.abort();
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
    expect(bench.runner.activity(other).messageId).toBe(messageId);
  });
});
