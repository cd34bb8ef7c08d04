import { describe, expect, it } from "vitest";
import { mean, median, p95 } from "./stats.ts";

describe("median", () => {
  it("is the middle of an odd number of samples, whatever their order", () => {
    expect(median([9, 1, 5])).toBe(5);
  });
  it("is halfway between the two middle ones of an even number", () => {
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });
  it("of one sample is that sample", () => {
    expect(median([7])).toBe(7);
  });
  it("sorts by value, not by spelling", () => {
    expect(median([10, 9, 100])).toBe(10);
  });
  it("leaves the samples as they were", () => {
    const samples = [3, 1, 2];
    median(samples);
    expect(samples).toEqual([3, 1, 2]);
  });
});

describe("p95", () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

  it("of 1 to 100 is 95", () => {
    expect(p95(hundred)).toBe(95);
  });
  it("of a rate is what 95 in 100 reach", () => {
    expect(p95(hundred, { isMoreBetter: true })).toBe(6);
    expect(hundred.filter((rate) => rate >= 6)).toHaveLength(95);
  });
  it("of few samples is the worst of them", () => {
    expect(p95([3, 1, 2])).toBe(3);
    expect(p95([3, 1, 2], { isMoreBetter: true })).toBe(1);
  });
});

it("mean is the sum by the number", () => {
  expect(mean([1, 2, 6])).toBe(3);
});
