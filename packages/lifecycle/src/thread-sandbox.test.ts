import type { SandboxHandle } from "@atoll/sandbox";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../tests/support/lifecycle/manual-clock.ts";
import { ThreadRegistry } from "./thread-sandbox.ts";

describe("thread registry", () => {
  it("estimates a wake by the thread's last one, else by recent wakes, else not at all", () => {
    const threads = new ThreadRegistry(new ManualClock());
    const thread = threads.open("b");
    expect(threads.estimateWake("a", "cold")).toBeUndefined();
    for (const ms of [20, 30, 1000]) threads.recordWake(thread, "cold", ms);
    expect(threads.estimateWake("a", "cold")).toEqual({ ms: 30, basis: "others" });
    expect(threads.estimateWake("b", "cold")).toEqual({ ms: 1000, basis: "own" });
    expect(threads.estimateWake("b", "warm")).toBeUndefined();
    threads.forget(thread);
    expect(threads.estimateWake("b", "cold")).toEqual({ ms: 30, basis: "others" });
  });

  it("counts only the latest wakes as recent", () => {
    const threads = new ThreadRegistry(new ManualClock());
    for (let n = 0; n < 100; n++) threads.recordWake(threads.open("a"), "warm", n < 50 ? 1000 : 1);
    expect(threads.estimateWake("b", "warm")).toEqual({ ms: 1, basis: "others" });
  });

  it("drops a thread once nothing is known about it and nothing uses it", async () => {
    const threads = new ThreadRegistry(new ManualClock());
    const handle = {} as SandboxHandle;
    const release = threads.hold("a");
    const first = threads.run("a", async (thread) => threads.setLive(thread, handle, "hot"));
    const second = threads.run("a", async (thread) => {
      expect(thread.live).toBe(await first);
      threads.clearLive(await first);
      threads.forget(thread);
    });
    await second;
    expect(threads.get("a")).toBeDefined();
    release();
    expect(threads.get("a")).toBeUndefined();
  });

  it("keeps one object, and one mutex, while work of a forgotten thread waits", async () => {
    const threads = new ThreadRegistry(new ManualClock());
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    const work = (name: string, until?: Promise<void>) =>
      threads.run("a", async (thread) => {
        order.push(`${name} begins`);
        await until;
        threads.forget(thread);
        order.push(`${name} ends`);
      });
    const first = work("first", gate.promise);
    const second = work("second");
    gate.resolve();
    await first;
    await Promise.all([second, work("third")]);
    expect(order).toEqual(["first", "second", "third"].flatMap((name) => [`${name} begins`, `${name} ends`]));
    expect(threads.get("a")).toBeUndefined();
  });
});
