import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AtollError } from "@atoll/sandbox";
import { createFileOnce } from "./replace-file.ts";

/** The key that signed addresses are made with. Made once; whoever deletes the file ends every address given out. */
export function loadSecret(folder: string): Uint8Array {
  const path = join(folder, "secret");
  const known = readIfPresent(path) ?? makeOnce(path);
  if (known.byteLength !== secretBytes) {
    throw new AtollError(
      "invalid_argument",
      "The server's secret file is damaged. Delete it: a new one is made.",
    );
  }
  return known;
}

const secretBytes = 32;

function makeOnce(path: string): Uint8Array {
  const secret = randomBytes(secretBytes);
  return createFileOnce(path, secret) ? secret : (readIfPresent(path) ?? secret);
}

function readIfPresent(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new AtollError("permission_denied", "The server cannot read its secret file.", { cause });
  }
}
