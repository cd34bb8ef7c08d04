import { AtollError } from "@atoll/sandbox";
import { expect, test, vi } from "vitest";
import { ReadinessProbe } from "./sandbox-probe.ts";

test("a probe makes one sandbox for all who ask at once, and none again while its answer is fresh", async () => {
  let nowMs = 0;
  const attempt = vi.fn<() => Promise<void>>(async () => {});
  const probe = new ReadinessProbe(attempt, () => nowMs);
  const asked = Array.from({ length: 100 }, () => probe.findObstacle());
  expect(new Set(await Promise.all(asked))).toEqual(new Set([undefined]));
  nowMs += 29_000;
  await probe.findObstacle();
  expect(attempt).toHaveBeenCalledTimes(1);
  nowMs += 2000;
  await probe.findObstacle();
  expect(attempt).toHaveBeenCalledTimes(2);
});

test("a probe says why no sandbox can be made, and soon looks again", async () => {
  let nowMs = 0;
  let error: Error | undefined = new AtollError("runtime_unavailable", "the sandbox did not start");
  const probe = new ReadinessProbe(
    async () => {
      if (error) throw error;
    },
    () => nowMs,
  );
  expect(await probe.findObstacle()).toContain("the sandbox did not start");
  error = undefined;
  expect(await probe.findObstacle()).toContain("the sandbox did not start");
  nowMs += 3001;
  expect(await probe.findObstacle()).toBeUndefined();
});
