import { describe, expect, it, onTestFinished } from "vitest";
import { type Answer, makeBench, outcome } from "./threads.harness.ts";

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
    const bench = await makeBench(onTestFinished, steered.answer);
    const threadId = await bench.newThread();
    const first = bench.ask(threadId, "first");
    await bench.waitFor(threadId, "token");
    const { messageId, position } = await bench.runner.submit(threadId, { text: "not that", mode: "steer" });
    expect(position).toBe(0);
    expect(bench.runner.activity(threadId).queued).toEqual([messageId]);
    await steered.step("look");
    await steered.step("look");
    expect(steered.looks).toEqual([["not that"], []]);
    const answer = bench.runner.waitForDone(threadId, messageId, never);
    await steered.step("end");
    expect(await answer).toEqual(await first);
    expect(await bench.runner.waitForDone(threadId, messageId, never)).toEqual(await first);
    expect(steered.answered).toEqual(["first"]);
    expect(bench.store.log.read(threadId, { types: ["steered"] })).toMatchObject([{ message_id: messageId }]);
  });

  it("that the run never took is answered after it, in the order of sending", async () => {
    const steered = makeSteered();
    const bench = await makeBench(onTestFinished, steered.answer);
    const threadId = await bench.newThread();
    const first = bench.ask(threadId, "first");
    await bench.waitFor(threadId, "token");
    const submitted = [
      await bench.runner.submit(threadId, { text: "steers", mode: "steer" }),
      await bench.runner.submit(threadId, { text: "waits" }),
      await bench.runner.submit(threadId, { text: "steers too", mode: "steer" }),
    ];
    const all = submitted.map(({ messageId }) => bench.runner.waitForDone(threadId, messageId, never));
    await steered.step("end");
    await Promise.all([first, ...all]);
    expect(steered.answered).toEqual(["first", "steers", "waits", "steers too"]);
    expect(bench.types(threadId)).not.toContain("steered");
  });

  it("and comes when nothing runs is a message like any other", async () => {
    const steered = makeSteered();
    const bench = await makeBench(onTestFinished, steered.answer);
    const threadId = await bench.newThread();
    const { messageId } = await bench.runner.submit(threadId, { text: "alone", mode: "steer" });
    expect(await bench.runner.waitForDone(threadId, messageId, never)).toMatchObject({ response: "alone" });
  });

  it("can be taken back until it is taken", async () => {
    const steered = makeSteered();
    const bench = await makeBench(onTestFinished, steered.answer);
    const threadId = await bench.newThread();
    const first = bench.ask(threadId, "first");
    await bench.waitFor(threadId, "token");
    const one = await bench.runner.submit(threadId, { text: "one", mode: "steer" });
    const two = await bench.runner.submit(threadId, { text: "two", mode: "steer" });
    expect(await bench.runner.withdraw(threadId, one.messageId)).toBe(true);
    await steered.step("look");
    expect(await bench.runner.withdraw(threadId, two.messageId)).toBe(false);
    await steered.step("end");
    await first;
    expect(steered.looks).toEqual([["two"]]);
    expect(steered.answered).toEqual(["first"]);
  });

  it("after a stop goes to the next run, also when the old agent still asks", async () => {
    let ask: () => readonly unknown[] = () => [];
    const gate = Promise.withResolvers<void>();
    const answered: string[] = [];
    const bench = await makeBench(onTestFinished, async (request) => {
      answered.push(request.message);
      if (request.message !== "first") return outcome("");
      ask = request.takeSteering;
      request.emit({ type: "token", text: "working" });
      await gate.promise;
      return outcome("", "stopped");
    });
    const threadId = await bench.newThread();
    const first = bench.ask(threadId, "first");
    await bench.waitFor(threadId, "token");
    const { messageId } = await bench.runner.submit(threadId, { text: "steers", mode: "steer" });
    const stopped = bench.runner.stop(threadId);
    expect(ask()).toEqual([]);
    gate.resolve();
    await stopped;
    await first;
    await bench.runner.waitForDone(threadId, messageId, never);
    expect(answered).toEqual(["first", "steers"]);
  });
});
