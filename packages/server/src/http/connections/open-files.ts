import { readFileSync } from "node:fs";

/** How many files and connections this process may have open; undefined where the system does not say. */
export function readOpenFilesLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
