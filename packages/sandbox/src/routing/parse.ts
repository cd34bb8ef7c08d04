import type { Tree } from "@lezer/common";
import { parser } from "@lezer/python";

/** More than this is not looked at: code comes from anybody, and reading it takes the server's time. */
const maxChars = 50_000;
const defaultCpuMs = 200;
const stepsBetweenLooks = 256;

/** Undefined where it would take too long. Counted in processor time, so that a busy machine changes nothing. */
export function parseCode(code: string, maxCpuMs = defaultCpuMs): Tree | undefined {
  if (code.length > maxChars) return undefined;
  const parse = parser.startParse(code);
  const { user, system } = process.threadCpuUsage();
  for (let step = 1; ; step++) {
    const tree = parse.advance();
    if (tree) return tree;
    if (step % stepsBetweenLooks > 0) continue;
    const now = process.threadCpuUsage();
    if (now.user + now.system - user - system >= maxCpuMs * 1000) return undefined;
  }
}
