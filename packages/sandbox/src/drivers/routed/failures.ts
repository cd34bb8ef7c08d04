import type { RunResult } from "../../contract/python.ts";
import { firstPart } from "../../routing/imports.ts";

/** Why the light runtime could not do what the heavy one may be able to. */
export interface Incapacity {
  /** In words that follow the runtime's name: `has no module yaml`. */
  readonly reason: string;
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

const notHere =
  /emscripten|can't start new thread|[Ff]unction not implemented|not supported on this platform/;

export function findIncapacity(result: RunResult, facts: RunFacts): Incapacity | undefined {
  const { status, error, notices } = result;
  if (status === "ok") return undefined;
  if (status === "timeout")
    return facts.hasMoreTime ? { reason: "ran out of time", isLasting: true } : undefined;
  const isMemory = notices.some((notice) => /memory limit|out of memory/i.test(notice));
  if (error?.name === "MemoryError" || isMemory) return { reason: "ran out of memory", isLasting: true };
  if (error?.name === "ModuleNotFoundError") {
    const module = /No module named '([^']+)'/.exec(error.value)?.[1];
    return module
      ? { reason: `has no module ${module}`, module: firstPart(module), isLasting: false }
      : undefined;
  }
  if (error?.name === "FileNotFoundError") {
    const path = /: '([^']+)'/.exec(error.value)?.[1];
    return path !== undefined && facts.isOnlyHeavy(path)
      ? { reason: `has no room for ${path.split("/").pop()}`, isLasting: true }
      : undefined;
  }
  if (status === "error" && error && notHere.test(error.value))
    return { reason: `cannot do it (${error.name}: ${error.value.slice(0, 200)})`, isLasting: true };
  // Ended by itself: a stop by the caller has its own notice and no such error.
  if (status === "killed" && error?.name === "KernelDied") return { reason: "ended", isLasting: true };
  return undefined;
}
