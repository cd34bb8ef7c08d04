import type { RunResult } from "../../../contract/python.ts";
import { listNotices } from "../../../guest/notices.ts";
import { firstPart } from "../../../routing/imports.ts";
import type { PlaceReason } from "@atoll/protocol";

/** Why the light runtime could not do what the heavy one may be able to. */
export interface Incapacity {
  readonly reason: PlaceReason;
  readonly module?: string;
  /** The same code would fail there again. */
  readonly isLasting: boolean;
}

export interface RunFacts {
  /** Files that are not in the light sandbox, by their path inside. */
  isOnlyHeavy(path: string): boolean;
  /** The caller gives more time than the light runtime has. */
  readonly hasMoreTime: boolean;
}

const NOT_HERE =
  /emscripten|can't start new thread|[Ff]unction not implemented|not supported on this platform|Illegal byte sequence|^module '(os|resource|select|signal|socket|time)' has no attribute/;

export function findIncapacity(result: RunResult, facts: RunFacts): Incapacity | undefined {
  const { status, error } = result;
  if (status === "ok") return undefined;
  if (status === "timeout")
    return facts.hasMoreTime ? { reason: { code: "light_timeout" }, isLasting: true } : undefined;
  const isMemory = listNotices(result).some(({ code }) => code === "memory");
  if (error?.name === "MemoryError" || isMemory) return { reason: { code: "light_memory" }, isLasting: true };
  if (error?.name === "ModuleNotFoundError") {
    const module = /No module named '([^']+)'/.exec(error.value)?.[1];
    return module
      ? { reason: { code: "light_module", of: module }, module: firstPart(module), isLasting: false }
      : undefined;
  }
  if (error?.name === "FileNotFoundError") {
    const path = /: '([^']+)'/.exec(error.value)?.[1];
    return path !== undefined && facts.isOnlyHeavy(path)
      ? { reason: { code: "light_room", of: path.split("/").pop() ?? path }, isLasting: true }
      : undefined;
  }
  if (status === "error" && error && NOT_HERE.test(error.value))
    return {
      reason: { code: "light_cannot", of: `${error.name}: ${error.value.slice(0, 200)}` },
      isLasting: true,
    };
  // Ended by itself: a stop by the caller has its own notice and no such error.
  if (status === "killed" && error?.name === "KernelDied")
    return { reason: { code: "light_ended" }, isLasting: true };
  return undefined;
}
