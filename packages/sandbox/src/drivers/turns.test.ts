import { expect, it } from "vitest";
import { Turns } from "./turns.ts";

it("turns come in the order asked; who gives up leaves the queue, who came too late never enters", async () => {
  const turns = new Turns();
  const order: string[] = [];
  const first = await turns.take(undefined);
  const leaver = new AbortController();
  const left = turns.pass(leaver.signal, async () => order.push("left"));
  const second = turns.pass(undefined, async () => order.push("second"));
  const third = turns.pass(undefined, async () => order.push("third"));
  leaver.abort();
  await expect(left).rejects.toMatchObject({ code: "aborted" });
  await expect(turns.take(AbortSignal.abort())).rejects.toMatchObject({ code: "aborted" });
  first();
  first();
  await Promise.all([second, third]);
  expect([order, turns.isTaken]).toEqual([["second", "third"], false]);
  await expect(turns.pass(AbortSignal.abort(), async () => order.push("late"))).rejects.toMatchObject({
    code: "aborted",
  });
  expect(order).toHaveLength(2);
});

it("a turn that fails is over", async () => {
  const turns = new Turns();
  await expect(turns.pass(undefined, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(turns.isTaken).toBe(false);
});
