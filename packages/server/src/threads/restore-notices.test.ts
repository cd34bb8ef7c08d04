import type { Restore } from "@atoll/agent";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Answer, echo, makeBench, outcome } from "./threads.harness.ts";

const lost = [{ name: "conn", type: "Connection", reason: "cannot be pickled" }];
const fromCold = { from: "cold", to: "hot", reason: "used" } as const;

describe("a restore", () => {
  it("is told to the model until it says that it has heard of it", async () => {
    const heard: (Restore | undefined)[] = [];
    const known: (Restore | undefined)[] = [];
    const bench = await makeBench(onTestFinished, async (request) => {
      known.push(request.restore);
      const awake = await request.wake();
      heard.push(awake.restore);
      if (request.message === "use it") awake.markTold?.();
      return outcome("");
    });
    const threadId = await bench.newThread();
    bench.sandboxes.lost.push(...lost);
    await bench.runner.openSandbox(threadId);
    for (const message of ["talk", "use it", "again"]) await bench.ask(threadId, message);
    expect(heard.map((restore) => restore?.lost)).toEqual([lost, lost, undefined]);
    expect(known.map((restore) => restore?.lost)).toEqual([lost, lost, undefined]);
  });

  it("is an event of the run that it happened in, and of the thread where there is none", async () => {
    const bench = await makeBench(onTestFinished, echo);
    const wake: Answer = async (request) => {
      await request.wake();
      return outcome("");
    };
    const other = await makeBench(onTestFinished, wake);
    const [outside, inside] = [await bench.newThread(), await other.newThread()];
    bench.sandboxes.announce(outside, { ...fromCold, restored: ["x"], lost, variablesAt: "2030-01-01" });
    const event = await bench.waitFor(outside, "sandbox");
    expect(event).toMatchObject({ restored: ["x"], lost, variables_at: "2030-01-01" });
    expect(event.run_id).toBeUndefined();
    expect(event).toMatchObject({ text: expect.stringMatching(/back: x\..*as of 2030-01-01.*conn/) });

    await other.runner.prepare(inside);
    other.sandboxes.lost.push(...lost);
    const { run_id } = await other.ask(inside, "go");
    expect(await other.waitFor(inside, "sandbox")).toMatchObject({ run_id, lost });
  });

  it("after which tables are missing loads them again, and one after which they are back does not", async () => {
    const bench = await makeBench(onTestFinished, async (request) => {
      await request.wake();
      return outcome("");
    });
    bench.sandboxes.tables = ["df"];
    const threadId = await bench.newThread();
    const countLoads = async () => {
      await bench.ask(threadId, "look");
      return bench.sandboxes.calls.filter((call) => call.startsWith("load")).length;
    };
    expect(await countLoads()).toBe(1);
    bench.sandboxes.announce(threadId, { ...fromCold, restored: ["df", "x"] });
    expect(await countLoads()).toBe(1);
    bench.sandboxes.announce(threadId, {
      ...fromCold,
      lost: [{ name: "df", type: "", reason: "too large" }],
    });
    expect(await countLoads()).toBe(2);
    bench.sandboxes.announce(threadId, { ...fromCold, restored: ["x"], variablesAt: "2030-01-01" });
    expect(await countLoads()).toBe(3);
    bench.sandboxes.announce(threadId, { ...fromCold, isFresh: true });
    expect(await countLoads()).toBe(4);
    // A variable that the user removed is not missed.
    bench.sandboxes.announce(threadId, { ...fromCold, restored: ["x"] });
    expect(await countLoads()).toBe(4);
  });

  it("that nobody heard of yet is joined with the next", async () => {
    const heard: (Restore | undefined)[] = [];
    const bench = await makeBench(onTestFinished, async (request) => {
      heard.push((await request.wake()).restore);
      return outcome("");
    });
    const threadId = await bench.newThread();
    const [a, b] = ["a", "b"].map((name) => ({ name, type: "T", reason: "no" }));
    bench.sandboxes.announce(threadId, { ...fromCold, lost: [a!, b!] });
    bench.sandboxes.announce(threadId, { ...fromCold, restored: ["b"] });
    await bench.ask(threadId, "what is left?");
    expect(heard[0]).toMatchObject({ restored: ["b"], lost: [a] });
  });

  it("is preceded by an event when the sandbox has ended by itself", async () => {
    const bench = await makeBench(onTestFinished, echo);
    const threadId = await bench.newThread();
    bench.sandboxes.announce(threadId, { from: "hot", to: "cold", reason: "died" });
    expect(await bench.waitFor(threadId, "sandbox")).toMatchObject({ state: "cold" });
    bench.sandboxes.announce(threadId, { from: "hot", to: "cold", reason: "idle" });
    bench.sandboxes.announce(threadId, { from: "warm", to: "hot", reason: "used" });
    await bench.ask(threadId, "hello");
    expect(bench.types(threadId).filter((type) => type === "sandbox")).toHaveLength(1);
  });
});
