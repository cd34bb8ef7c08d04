import { describe, expect, it, onTestFinished } from "vitest";
import { echo, makeHarness, outcome, untilStopped } from "./threads.harness.ts";

const never = new AbortController().signal;

describe("a stop", () => {
  it("ends the run, keeps what was said, and lets the next message run", async () => {
    const harness = await makeHarness(onTestFinished, (request) =>
      request.message === "one" ? untilStopped(request) : echo(request),
    );
    const threadId = await harness.newThread();
    const [first, second] = [harness.ask(threadId, "one"), harness.ask(threadId, "two")];
    await harness.waitFor(threadId, "token");
    expect(await harness.runner.stop(threadId)).toBe(true);
    expect(harness.store.log.read(threadId, { types: ["done"] })[0]).toMatchObject({ status: "stopped" });
    expect(await first).toMatchObject({ status: "stopped", response: "so far" });
    expect(await second).toMatchObject({ status: "completed", response: "two" });
    expect(await harness.runner.stop(threadId)).toBe(false);
    expect(await harness.runner.stop("nobody")).toBe(false);
  });

  it("does not wait for an agent that will not hear it; the next run does", async () => {
    const stuck = Promise.withResolvers<void>();
    const started: string[] = [];
    const harness = await makeHarness(onTestFinished, async (request) => {
      started.push(request.message);
      if (request.message !== "one") return echo(request);
      request.emit({ type: "token", text: "so " });
      request.emit({ type: "token", text: "far" });
      await stuck.promise;
      request.emit({ type: "token", text: "too late" });
      return outcome("all of it");
    });
    const threadId = await harness.newThread();
    const [first, second] = [harness.ask(threadId, "one"), harness.ask(threadId, "two")];
    await harness.waitFor(threadId, "token");
    await harness.runner.stop(threadId);
    expect(await first).toMatchObject({
      status: "stopped",
      response: "so far",
      timings_ms: { openai_per_call: [] },
    });
    expect(started).toEqual(["one"]);
    stuck.resolve();
    expect(await second).toMatchObject({ response: "two" });
    const texts = harness.store.log
      .read(threadId, { types: ["token"] })
      .map((event) => "text" in event && event.text);
    expect(texts).toEqual(["so ", "far", "two"]);
  });

  it("also ends a run whose sandbox never comes", async () => {
    const harness = await makeHarness(onTestFinished, echo);
    harness.sandboxes.gate = new Promise(() => {});
    const threadId = await harness.newThread();
    const done = harness.ask(threadId, "one");
    await harness.waitFor(threadId, "status");
    await harness.runner.stop(threadId);
    expect(await done).toMatchObject({ status: "stopped", response: "" });
  });

  it("makes of an agent's failure that follows it a stop, not an error", async () => {
    const harness = await makeHarness(onTestFinished, async (request) => {
      await untilStopped(request);
      throw new Error("the connection was closed");
    });
    const threadId = await harness.newThread();
    const done = harness.ask(threadId, "one");
    await harness.waitFor(threadId, "token");
    await harness.runner.stop(threadId, { reason: "Stopped by the user." });
    expect(await done).toMatchObject({ status: "stopped", response: "so far" });
    expect(harness.types(threadId)).not.toContain("error");
    expect(harness.store.log.read(threadId, { types: ["status"] }).at(-1)).toMatchObject({
      text: "Stopped by the user.",
    });
  });
});

describe("a server that closes", () => {
  it("ends runs with a clear event and keeps the messages that wait", async () => {
    const harness = await makeHarness(onTestFinished, untilStopped);
    const threadId = await harness.newThread();
    const first = harness.ask(threadId, "one");
    await harness.waitFor(threadId, "token");
    const { messageId } = await harness.runner.submit(threadId, { text: "two" });
    const second = harness.runner.waitForDone(threadId, messageId, never).catch((error: unknown) => error);
    await harness.runner.close();
    expect(await first).toMatchObject({ status: "interrupted", response: "so far" });
    expect(harness.types(threadId).slice(-2)).toEqual(["error", "done"]);
    expect(harness.store.log.read(threadId, { types: ["error"] })[0]).toMatchObject({ code: "interrupted" });
    expect(await second).toMatchObject({ code: "aborted", isRetryable: true });
    expect(harness.store.log.unsettled()).toEqual([threadId]);
    await expect(harness.runner.submit(threadId, { text: "x" })).rejects.toMatchObject({ code: "aborted" });
  });
});
