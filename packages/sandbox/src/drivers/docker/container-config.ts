import { isDeepStrictEqual } from "node:util";
import { defaultLimits, type Limits } from "../../contract/limits.ts";
import type { SandboxMode } from "../../contract/sandbox.ts";
import type { ContainerLimits } from "./engine.ts";

/** What of a container is settled when it starts. */
export interface Shape {
  readonly image: string;
  /** The OCI runtime; null leaves it to the engine. */
  readonly runtime: string | null;
  readonly mode: SandboxMode;
  /** What is imported ahead of time; null for the usual. */
  readonly preload: readonly string[] | null;
  readonly tmpBytes: number;
  /** What the engine limits. It can be changed while the container runs, but not under gVisor. */
  readonly limits: ContainerLimits;
}

export function shapeOf(
  wanted: Pick<Shape, "image" | "runtime" | "mode" | "preload">,
  limits: Limits,
): Shape {
  const { image, runtime, mode, preload } = wanted;
  return {
    image,
    runtime,
    mode,
    preload,
    tmpBytes: limits.tmpBytes,
    limits: toContainerLimits(limits, isGvisor(runtime)),
  };
}

/** The shape of a parked container that can become one of this shape; undefined if none can. */
export function pooledShape(shape: Shape): Shape | undefined {
  const pooled = shapeOf(shape, defaultLimits);
  const isNear =
    shape.tmpBytes === pooled.tmpBytes && (!isGvisor(shape.runtime) || isSameLimits(shape, pooled));
  return isNear ? pooled : undefined;
}

export function isSameShape(one: Shape, other: Shape): boolean {
  return isDeepStrictEqual(one, other);
}

export function isSameLimits(one: Shape, other: Shape): boolean {
  return isDeepStrictEqual(one.limits, other.limits);
}

export function isGvisor(runtime: string | null): boolean {
  return runtime?.startsWith("runsc") ?? false;
}

/**
 * Under gVisor the engine's limits are those of the sandbox's whole kernel, which ends at them. They are a second line
 * there, with room for that kernel itself; the guest keeps the sandbox to its limits.
 */
function toContainerLimits({ memoryBytes, cpus, processes }: Limits, isGvisor: boolean): ContainerLimits {
  const memory = isGvisor ? memoryBytes + gvisorBytes : memoryBytes;
  return {
    Memory: memory,
    // With swap: the same number leaves none.
    MemorySwap: memory,
    NanoCpus: Math.round(cpus * 1e9),
    // The supervisor counts too.
    PidsLimit: isGvisor ? processes * 4 + gvisorThreads : processes + 1,
  };
}

const gvisorBytes = 512 * 1024 * 1024;
const gvisorThreads = 1024;
