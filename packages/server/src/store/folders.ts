import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { AtollError } from "@atoll/sandbox";

/** Where the server keeps things. Only its user can enter. */
export interface Folders {
  readonly server: string;
  readonly uploads: string;
  readonly incoming: string;
  readonly threads: string;
}

export function makeFolders(dataDir: string): Folders {
  const server = join(dataDir, "server");
  const uploads = join(server, "uploads");
  const folders = { server, uploads, incoming: join(uploads, ".incoming"), threads: join(server, "threads") };
  try {
    for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(server, 0o700);
  } catch (cause) {
    throw new AtollError(
      "permission_denied",
      "The server cannot write to its data folder. Make it writable, or set ATOLL_DATA_DIR to another one.",
      { cause },
    );
  }
  return folders;
}
