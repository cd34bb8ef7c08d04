import { posix } from "node:path";
import type { Sandbox } from "@atoll/sandbox";
import { z } from "zod";

/** One that a tool is given. */
export const pathInput = z.string().min(1).describe("Path, absolute or from the workspace");

export function resolvePath(sandbox: Pick<Sandbox, "info">, path: string): string {
  return posix.resolve(sandbox.info.paths.workspace, path);
}

/** As it is, or in quotes when it has characters that break, hide or turn a line. */
export function showPath(path: string): string {
  return /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u.test(path)
    ? JSON.stringify(path).replaceAll(
        /[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
        (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
      )
    : path;
}
