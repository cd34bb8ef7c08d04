import { statSync } from "node:fs";

/** Whether no server that lives can still be at work on this file: none leaves one untouched for so long. */
export function isOld(path: string): boolean {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts !== undefined && Date.now() - facts.mtimeMs > oldMs;
}

const oldMs = 24 * 60 * 60_000;
