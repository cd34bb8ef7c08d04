import { expect, test } from "vitest";
import { defaultLimits } from "../../contract/limits.ts";
import { isSameLimits, isSameShape, pooledShape, shapeOf } from "./container-config.ts";

const pinned = { image: "any", runtime: null, mode: "pinned", preload: null } as const;
const gvisor = { ...pinned, runtime: "runsc" };
const small = { ...defaultLimits, memoryBytes: 256 * 1024 * 1024 };

test("a parked container serves who wants the usual limits", () => {
  const shape = shapeOf(pinned, defaultLimits);
  const pooled = pooledShape(shape);
  expect(pooled && isSameShape(pooled, shape)).toBe(true);
});

test("a parked container serves other limits, which the engine then changes", () => {
  const shape = shapeOf(pinned, small);
  const pooled = pooledShape(shape);
  expect(pooled && isSameLimits(pooled, shape)).toBe(false);
});

test("no parked container serves who wants other scratch space, or under gVisor other limits", () => {
  expect(pooledShape(shapeOf(pinned, { ...defaultLimits, tmpBytes: 1024 }))).toBeUndefined();
  expect(pooledShape(shapeOf(gvisor, small))).toBeUndefined();
  expect(pooledShape(shapeOf(gvisor, defaultLimits))).toBeDefined();
});

test("containers of another image, mode, runtime or other libraries are of another shape", () => {
  const shape = shapeOf(pinned, defaultLimits);
  const others = [
    { ...pinned, image: "other" },
    { ...pinned, mode: "ephemeral" as const },
    { ...pinned, preload: [] },
    gvisor,
  ];
  for (const other of others) expect(isSameShape(shape, shapeOf(other, defaultLimits))).toBe(false);
});

test("gVisor's own kernel has room beside the sandbox's memory", () => {
  expect(shapeOf(pinned, small).limits.Memory).toBe(small.memoryBytes);
  expect(shapeOf(gvisor, small).limits.Memory).toBeGreaterThan(small.memoryBytes);
});
