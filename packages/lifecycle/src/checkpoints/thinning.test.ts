import { expect, test } from "vitest";
import { chooseForgotten } from "./thinning.ts";

test("the newest is never given up", () => {
  expect(chooseForgotten([])).toBeUndefined();
  expect(chooseForgotten([7])).toBeUndefined();
  expect(chooseForgotten([3, 7])).toBe(3);
});

test("what stays gets exponentially sparser with age", () => {
  let kept: number[] = [];
  for (let number = 1; number <= 1000; number++) {
    kept.push(number);
    while (kept.length > 12) {
      const forgotten = chooseForgotten(kept);
      kept = kept.filter((other) => other !== forgotten);
    }
  }
  expect(kept.at(-1)).toBe(1000);
  expect(kept[0]).toBe(1);
  const ages = kept.map((number) => 1000 - number).toReversed();
  expect(ages[1]).toBeLessThanOrEqual(3);
  // From one to the next the age grows by a factor, not by a fixed step.
  for (let at = 2; at < ages.length; at++)
    expect((ages[at] ?? 0) + 1).toBeLessThanOrEqual(((ages[at - 1] ?? 0) + 1) * 4);
  expect((ages.at(-1) ?? 0) - (ages.at(-2) ?? 0)).toBeGreaterThan(100);
});
