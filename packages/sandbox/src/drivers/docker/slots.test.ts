import { expect, test } from "vitest";
import { Slots } from "./slots.ts";

test("so many work at a time, and everybody in the end, also after one failed", async () => {
  const slots = new Slots(2);
  let working = 0;
  let most = 0;
  const work = (n: number) =>
    slots.use(async () => {
      most = Math.max(most, ++working);
      await new Promise((resolve) => setImmediate(resolve));
      working--;
      if (n === 1) throw new Error("no");
      return n;
    });
  const outcomes = await Promise.allSettled([0, 1, 2, 3, 4].map(work));
  expect(outcomes.map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
    "fulfilled",
  ]);
  expect([most, slots.isAnyWaiting]).toEqual([2, false]);
});
