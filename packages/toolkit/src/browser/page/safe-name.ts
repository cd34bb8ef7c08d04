import { posix } from "node:path";
import type { Sandbox } from "@atoll/sandbox";

const MAX_BYTES = 180;

/** A name that a server made up, as one that is safe in any folder. */
export function makeSafeName(suggested: string): string {
  const name = suggested
    .normalize("NFC")
    .replaceAll(/[/\\:*?"<>|\p{Cc}\p{Cf}\p{Cs}]/gu, "_")
    .replace(/^[._\s-]+/, "")
    .replace(/(?<![.\s])[.\s]+$/, "");
  const { name: stem, ext } = posix.parse(name);
  return shorten(stem, MAX_BYTES - Buffer.byteLength(shorten(ext, 20))) + shorten(ext, 20) || "download";
}

/** A path in the folder that nothing is at yet. */
export async function chooseName(sandbox: Sandbox, folder: string, suggested: string): Promise<string> {
  const { name, ext } = posix.parse(makeSafeName(suggested));
  for (let count = 1; ; count += 1) {
    const path = posix.join(folder, count === 1 ? name + ext : `${name} (${count})${ext}`);
    if (!(await sandbox.files.exists(path))) return path;
  }
}

function shorten(text: string, bytes: number): string {
  let short = text;
  while (Buffer.byteLength(short) > bytes) short = [...short].slice(0, -1).join("");
  return short;
}
