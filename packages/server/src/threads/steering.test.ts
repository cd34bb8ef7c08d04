import { describe, expect, it, onTestFinished } from "vitest";
import { type Answer, makeHarness, outcome } from "./threads.harness.ts";

const never = new AbortController().signal;

/** Takes what steers it each time it is told to go on; ends when told to. */
function makeSteered() {
  let go = Promise.withResolvers<"look" | "end">();
  const looks: string[][] = [];
  const answered: string[] = [];
  const answer: Answer = async (request) => {
    answered.push(request.message);
    request.emit({ type: "token", text: "working" });
    if (request.message !== "first") return outcome(request.message);
    for (;;) {
      const step = await go.promise;
      go = Promise.withResolvers();
      if (step === "end") return outcome("first");
      looks.push(request.takeSteering().map(({ text }) => text));
    }
  };
  const step = async (next: "look" | "end") => {
    go.resolve(next);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { answer, looks, answered, step };
}

describe("a message that steers", () => {
  it("reaches the run under way once, and that run's end is its answer", async () => {
    const steered = makeSteered();
    const harness = await makeHarness(onTestFinished, steered.answer);
    const threadId = await harness.newThread();
    const first = harness.ask(threadId, "first");
    await harness.waitFor(threadId, "token");
    const { messageId, position } = await harness.runner.submit(threadId, {
      text: "not that",
      mode: "steer",
    });
    expect(position).toBe(0);
    expect(harness.runner.activity(threadId).queued).toEqual([messageId]);
    await steered.step("look");
    await steered.step("look");
    expect(steered.looks).toEqual([["not that"], []]);
    const answer = harness.runner.waitForDone(threadId, messageId, never);
    await steered.step("end");
    expect(await answer).toEqual(await first);
    expect(await harness.runner.waitForDone(threadId, messageId, never)).toEqual(await first);
    expect(steered.answered).toEqual(["first"]);
    expect(harness.store.log.read(threadId, { types: ["steered"] })).toMatchObject([
      { message_id: messageId },
    ]);
  });

  it("that the run never took is answered after it, in the order of sending", async () => {
    const steered = makeSteered();
    const harness = await makeHarness(onTestFinished, steered.answer);
    const threadId = await harness.newThread();
    const first = harness.ask(threadId, "first");
    await harness.waitFor(threadId, "token");
    const submitted = [
      await harness.runner.submit(threadId, { text: "steers", mode: "steer" }),
      await harness.runner.submit(threadId, { text: "waits" }),
      await harness.runner.submit(threadId, { text: "steers too", mode: "steer" }),
    ];
    const all = submitted.map(({ messageId }) => harness.runner.waitForDone(threadId, messageId, never));
    await steered.step("end");
    await Promise.all([first, ...all]);
    expect(steered.answered).toEqual(["first", "steers", "waits", "steers too"]);
    expect(harness.types(threadId)).not.toContain("steered");
  });

  it("and comes when nothing runs is a message like any other", async () => {
    const steered = makeSteered();
    const harness = await makeHarness(onTestFinished, steered.answer);
    const threadId = await harness.newThread();
    const { messageId } = await harness.runner.submit(threadId, { text: "alone", mode: "steer" });
    expect(await harness.runner.waitForDone(threadId, messageId, never)).toMatchObject({ response: "alone" });
  });

  it("can be taken back until it is taken", async () => {
    const steered = makeSteered();
    const harness = await makeHarness(onTestFinished, steered.answer);
    const threadId = await harness.newThread();
    const first = harness.ask(threadId, "first");
    await harness.waitFor(threadId, "token");
    const one = await harness.runner.submit(threadId, { text: "one", mode: "steer" });
    const two = await harness.runner.submit(threadId, { text: "two", mode: "steer" });
    expect(await harness.runner.withdraw(threadId, one.messageId)).toBe(true);
    await steered.step("look");
    expect(await harness.runner.withdraw(threadId, two.messageId)).toBe(false);
    await steered.step("end");
    await first;
    expect(steered.looks).toEqual([["two"]]);
    expect(steered.answered).toEqual(["first"]);
  });

  it("after a stop goes to the next run, also when the old agent still asks", async () => {
    let ask: () => readonly unknown[] = () => [];
    const gate = Promise.withResolvers<void>();
    const answered: string[] = [];
    const harness = await makeHarness(onTestFinished, async (request) => {
      answered.push(request.message);
      if (request.message !== "first") return outcome("");
      ask = request.takeSteering;
      request.emit({ type: "token", text: "working" });
      await gate.promise;
      return outcome("", "stopped");
    });
    const threadId = await harness.newThread();
    const first = harness.ask(threadId, "first");
    await harness.waitFor(threadId, "token");
    const { messageId } = await harness.runner.submit(threadId, { text: "steers", mode: "steer" });
    const stopped = harness.runner.stop(threadId);
    expect(ask()).toEqual([]);
    gate.resolve();
    await stopped;
    await first;
    await harness.runner.waitForDone(threadId, messageId, never);
    expect(answered).toEqual(["first", "steers"]);
  });
});
