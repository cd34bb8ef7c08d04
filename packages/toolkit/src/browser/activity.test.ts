import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Activity } from "./activity.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("Activity", () => {
  it("tells when the last use is over for as long as was said", () => {
    const onIdle = vi.fn<() => void>();
    const activity = new Activity(1000, onIdle);
    const [first, second] = [activity.begin(), activity.begin()];
    vi.advanceTimersByTime(5000);
    first();
    first();
    vi.advanceTimersByTime(5000);
    expect(onIdle).not.toHaveBeenCalled();
    second();
    vi.advanceTimersByTime(999);
    expect(onIdle).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onIdle).toHaveBeenCalledOnce();
  });

  it("restarts the wait after each use, and never fires after stop", () => {
    const onIdle = vi.fn<() => void>();
    const activity = new Activity(1000, onIdle);
    activity.begin()();
    vi.advanceTimersByTime(900);
    activity.begin()();
    vi.advanceTimersByTime(900);
    expect(onIdle).not.toHaveBeenCalled();
    activity.stop();
    vi.advanceTimersByTime(5000);
    expect(onIdle).not.toHaveBeenCalled();
  });
});
