import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Stopwatch } from "./stopwatch.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

it("it rings when its time is up, without the time that it was paused", () => {
  const ring = vi.fn<() => void>();
  const watch = new Stopwatch(1000, ring);
  vi.advanceTimersByTime(600);
  watch.pause();
  watch.pause();
  vi.advanceTimersByTime(60_000);
  watch.resume();
  watch.resume();
  vi.advanceTimersByTime(399);
  expect(ring).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(ring).toHaveBeenCalledTimes(1);
});

it("one that was stopped does not ring", () => {
  const ring = vi.fn<() => void>();
  new Stopwatch(1000, ring).stop();
  vi.advanceTimersByTime(2000);
  expect(ring).not.toHaveBeenCalled();
});
