import { describe, expect, it, onTestFinished } from "vitest";
import { echo, makeBench, outcome, untilStopped } from "./threads.harness.ts";

const never = new AbortController().signal;

describe("a stop", () => {
  it("ends the run, keeps what was said, and lets the next message run", async () => {
    const bench = await makeBench(onTestFinished, (request) =>
      request.message === "one" ? untilStopped(request) : echo(request),
    );
    const threadId = await bench.newThread();
    const [first, second] = [bench.ask(threadId, "one"), bench.ask(threadId, "two")];
    await bench.waitFor(threadId, "token");
    expect(await bench.runner.stop(threadId)).toBe(true);
    expect(bench.store.log.read(threadId, { types: ["done"] })[0]).toMatchObject({ status: "stopped" });
    expect(await first).toMatchObject({ status: "stopped", response: "so far" });
    expect(await second).toMatchObject({ status: "completed", response: "two" });
    expect(await bench.runner.stop(threadId)).toBe(false);
    expect(await bench.runner.stop("nobody")).toBe(false);
  });

  it("does not wait for an agent that will not hear it; the next run does", async () => {
    const stuck = Promise.withResolvers<void>();
    const started: string[] = [];
    const bench = await makeBench(onTestFinished, async (request) => {
      started.push(request.message);
      if (request.message !== "one") return echo(request);
      request.emit({ type: "token", text: "so " });
      request.emit({ type: "token", text: "far" });
      await stuck.promise;
      request.emit({ type: "token", text: "too late" });
      return outcome("all of it");
    });
    const threadId = await bench.newThread();
    const [first, second] = [bench.ask(threadId, "one"), bench.ask(threadId, "two")];
    await bench.waitFor(threadId, "token");
    await bench.runner.stop(threadId);
    expect(await first).toMatchObject({
      status: "stopped",
      response: "so far",
      timings_ms: { openai_per_call: [] },
    });
    expect(started).toEqual(["one"]);
    stuck.resolve();
    expect(await second).toMatchObject({ response: "two" });
    const texts = bench.store.log
      .read(threadId, { types: ["token"] })
      .map((event) => "text" in event && event.text);
    expect(texts).toEqual(["so ", "far", "two"]);
  });

  it("also ends a run whose sandbox never comes", async () => {
    const bench = await makeBench(onTestFinished, echo);
    bench.sandboxes.gate = new Promise(() => {});
    const threadId = await bench.newThread();
    const done = bench.ask(threadId, "one");
    await bench.waitFor(threadId, "status");
    await bench.runner.stop(threadId);
    expect(await done).toMatchObject({ status: "stopped", response: "" });
  });

  it("makes of an agent's failure that follows it a stop, not an error", async () => {
    const bench = await makeBench(onTestFinished, async (request) => {
      await untilStopped(request);
      throw new Error("the connection was closed");
    });
    const threadId = await bench.newThread();
    const done = bench.ask(threadId, "one");
    await bench.waitFor(threadId, "token");
    await bench.runner.stop(threadId, { reason: "Stopped by the user." });
    expect(await done).toMatchObject({ status: "stopped", response: "so far" });
    expect(bench.types(threadId)).not.toContain("error");
    expect(bench.store.log.read(threadId, { types: ["status"] }).at(-1)).toMatchObject({
      text: "Stopped by the user.",
    });
  });
});

describe("a server that closes", () => {
  it("ends runs with a clear event and keeps the messages that wait", async () => {
    const bench = await makeBench(onTestFinished, untilStopped);
    const threadId = await bench.newThread();
    const first = bench.ask(threadId, "one");
    await bench.waitFor(threadId, "token");
    const { messageId } = await bench.runner.submit(threadId, { text: "two" });
    const second = bench.runner.waitForDone(threadId, messageId, never).catch((error: unknown) => error);
    await bench.runner.close();
    expect(await first).toMatchObject({ status: "interrupted", response: "so far" });
    expect(bench.types(threadId).slice(-2)).toEqual(["error", "done"]);
    expect(bench.store.log.read(threadId, { types: ["error"] })[0]).toMatchObject({ code: "interrupted" });
    expect(await second).toMatchObject({ code: "aborted", isRetryable: true });
    expect(bench.store.log.unsettled()).toEqual([threadId]);
    await expect(bench.runner.submit(threadId, { text: "x" })).rejects.toMatchObject({ code: "aborted" });
  });
});
