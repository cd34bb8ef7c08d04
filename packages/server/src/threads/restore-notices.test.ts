import type { Restore } from "@atoll/agent";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Answer, echo, makeHarness, outcome } from "./threads.harness.ts";

const lost = [{ name: "conn", type: "Connection", reason: "cannot be pickled" }];
const fromCold = { from: "cold", to: "hot", reason: "used" } as const;

describe("a restore", () => {
  it("is told to the model until it says that it has heard of it", async () => {
    const heard: (Restore | undefined)[] = [];
    const known: (Restore | undefined)[] = [];
    const harness = await makeHarness(onTestFinished, async (request) => {
      known.push(request.restore);
      const awake = await request.wake();
      heard.push(awake.restore);
      if (request.message === "use it") awake.markTold?.();
      return outcome("");
    });
    const threadId = await harness.newThread();
    harness.sandboxes.lost.push(...lost);
    await harness.runner.openSandbox(threadId);
    for (const message of ["talk", "use it", "again"]) await harness.ask(threadId, message);
    expect(heard.map((restore) => restore?.lost)).toEqual([lost, lost, undefined]);
    expect(known.map((restore) => restore?.lost)).toEqual([lost, lost, undefined]);
  });

  it("is an event of the run that it happened in, and of the thread where there is none", async () => {
    const harness = await makeHarness(onTestFinished, echo);
    const wake: Answer = async (request) => {
      await request.wake();
      return outcome("");
    };
    const other = await makeHarness(onTestFinished, wake);
    const [outside, inside] = [await harness.newThread(), await other.newThread()];
    harness.sandboxes.announce(outside, { ...fromCold, restored: ["x"], lost, variablesAt: "2030-01-01" });
    const event = await harness.waitFor(outside, "sandbox");
    expect(event).toMatchObject({ restored: ["x"], lost, variables_at: "2030-01-01" });
    expect(event.run_id).toBeUndefined();
    expect(event).toMatchObject({ text: expect.stringMatching(/back: x\..*as of 2030-01-01.*conn/) });

    await other.runner.prepare(inside);
    other.sandboxes.lost.push(...lost);
    const { run_id } = await other.ask(inside, "go");
    expect(await other.waitFor(inside, "sandbox")).toMatchObject({ run_id, lost });
  });

  it("after which tables are missing loads them again, and one after which they are back does not", async () => {
    const harness = await makeHarness(onTestFinished, async (request) => {
      await request.wake();
      return outcome("");
    });
    harness.sandboxes.tables = ["df"];
    const threadId = await harness.newThread();
    const countLoads = async () => {
      await harness.ask(threadId, "look");
      return harness.sandboxes.calls.filter((call) => call.startsWith("load")).length;
    };
    expect(await countLoads()).toBe(1);
    harness.sandboxes.announce(threadId, { ...fromCold, restored: ["df", "x"] });
    expect(await countLoads()).toBe(1);
    harness.sandboxes.announce(threadId, {
      ...fromCold,
      lost: [{ name: "df", type: "", reason: "too large" }],
    });
    expect(await countLoads()).toBe(2);
    harness.sandboxes.announce(threadId, { ...fromCold, restored: ["x"], variablesAt: "2030-01-01" });
    expect(await countLoads()).toBe(3);
    harness.sandboxes.announce(threadId, { ...fromCold, isFresh: true });
    expect(await countLoads()).toBe(4);
    // A variable that the user removed is not missed.
    harness.sandboxes.announce(threadId, { ...fromCold, restored: ["x"] });
    expect(await countLoads()).toBe(4);
  });

  it("that nobody heard of yet is joined with the next", async () => {
    const heard: (Restore | undefined)[] = [];
    const harness = await makeHarness(onTestFinished, async (request) => {
      heard.push((await request.wake()).restore);
      return outcome("");
    });
    const threadId = await harness.newThread();
    const [a, b] = ["a", "b"].map((name) => ({ name, type: "T", reason: "no" }));
    harness.sandboxes.announce(threadId, { ...fromCold, lost: [a!, b!] });
    harness.sandboxes.announce(threadId, { ...fromCold, restored: ["b"] });
    await harness.ask(threadId, "what is left?");
    expect(heard[0]).toMatchObject({ restored: ["b"], lost: [a] });
  });

  it("is preceded by an event when the sandbox has ended by itself", async () => {
    const harness = await makeHarness(onTestFinished, echo);
    const threadId = await harness.newThread();
    harness.sandboxes.announce(threadId, { from: "hot", to: "cold", reason: "died" });
    expect(await harness.waitFor(threadId, "sandbox")).toMatchObject({ state: "cold" });
    harness.sandboxes.announce(threadId, { from: "hot", to: "cold", reason: "idle" });
    harness.sandboxes.announce(threadId, { from: "warm", to: "hot", reason: "used" });
    await harness.ask(threadId, "hello");
    expect(harness.types(threadId).filter((type) => type === "sandbox")).toHaveLength(1);
  });
});
