import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Clock } from "./clock.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

it("a clock rings when its time is up, without the time that it was paused", () => {
  const ring = vi.fn<() => void>();
  const clock = new Clock(1000, ring);
  vi.advanceTimersByTime(600);
  clock.pause();
  clock.pause();
  vi.advanceTimersByTime(60_000);
  clock.resume();
  clock.resume();
  vi.advanceTimersByTime(399);
  expect(ring).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(ring).toHaveBeenCalledTimes(1);
});

it("a clock that was stopped does not ring", () => {
  const ring = vi.fn<() => void>();
  new Clock(1000, ring).stop();
  vi.advanceTimersByTime(2000);
  expect(ring).not.toHaveBeenCalled();
});
