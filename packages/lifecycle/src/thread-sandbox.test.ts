import { expect, test } from "vitest";
import { WakeCosts } from "./wake-costs.ts";

test("a wake costs what this thread's last one did, else what is usual, else nobody knows", () => {
  const costs = new WakeCosts();
  expect(costs.estimate("a", "cold")).toBeUndefined();
  for (const ms of [20, 30, 1000]) costs.record("b", "cold", ms);
  expect(costs.estimate("a", "cold")).toEqual({ ms: 30, basis: "others" });
  expect(costs.estimate("b", "cold")).toEqual({ ms: 1000, basis: "own" });
  expect(costs.estimate("b", "warm")).toBeUndefined();
  costs.forget("b");
  expect(costs.estimate("b", "cold")).toEqual({ ms: 30, basis: "others" });
});

test("only the latest wakes count as usual", () => {
  const costs = new WakeCosts();
  for (let n = 0; n < 100; n++) costs.record("a", "warm", n < 50 ? 1000 : 1);
  expect(costs.estimate("b", "warm")).toEqual({ ms: 1, basis: "others" });
});
