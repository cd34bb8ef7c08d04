import { posix } from "node:path";
import { AtollError } from "@atoll/sandbox";
import type { ToolContext } from "../../tool.ts";
import { resolvePath } from "../paths.ts";

const MAX_BYTES = 16 * 1024 * 1024;
const MAX_LINKS = 20;

type Reach = Pick<ToolContext, "sandbox" | "signal">;

export interface TextFile {
  /** Where it really is: a link to it is kept when this is written. */
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

/**
 * A file that is to be changed: every byte of it, a mark at its beginning too, comes back when the text is written.
 * Fails with `invalid_argument` where that cannot be, because it is not UTF-8.
 */
export async function readTextFile(given: string, reach: Reach): Promise<TextFile> {
  const { path, mode } = await followLinks(given, reach);
  const bytes = await reach.sandbox.files.read(path, { maxBytes: MAX_BYTES, signal: reach.signal });
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { path, text, mode: mode & 0o777 };
  } catch (cause) {
    throw new AtollError("invalid_argument", `${path} is not UTF-8 text: change it with execute_python`, {
      cause,
    });
  }
}

async function followLinks(
  given: string,
  { sandbox, signal }: Reach,
): Promise<{ path: string; mode: number }> {
  let path = resolvePath(sandbox, given);
  for (let count = 0; count < MAX_LINKS; count += 1) {
    const { kind, mode, linkTarget } = await sandbox.files.stat(path, { signal });
    if (kind !== "symlink" || linkTarget === undefined) return { path, mode };
    path = posix.resolve(posix.dirname(path), linkTarget);
  }
  throw new AtollError("invalid_argument", `${given} is a link that leads to itself`);
}
