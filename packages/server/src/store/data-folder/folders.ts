import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { AtollError } from "@atoll/sandbox";

/** Where the server keeps things. Only its user can enter. */
export interface Folders extends FileFolders {
  readonly server: string;
  /** Of temporary threads; where they have no place of their own, the same. */
  readonly temporary: FileFolders;
}

export interface FileFolders {
  readonly uploads: string;
  readonly incoming: string;
  readonly threads: string;
}

/** Each place once. */
export function listFileFolders(folders: Folders): FileFolders[] {
  return folders.temporary.uploads === folders.uploads ? [folders] : [folders, folders.temporary];
}

export function makeFolders(dataDir: string, temporaryDir = dataDir): Folders {
  const folders = makeFileFolders(dataDir, "its data folder", "ATOLL_DATA_DIR");
  if (temporaryDir === dataDir) return { ...folders, temporary: folders };
  return { ...folders, temporary: makeFileFolders(temporaryDir, "SESSION_BASE_DIR", "SESSION_BASE_DIR") };
}

function makeFileFolders(root: string, name: string, variable: string): FileFolders & { server: string } {
  const server = join(root, "server");
  const uploads = join(server, "uploads");
  const folders = { server, uploads, incoming: join(uploads, ".incoming"), threads: join(server, "threads") };
  try {
    for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(server, 0o700);
  } catch (cause) {
    throw new AtollError(
      "permission_denied",
      `The server cannot write to ${name}. Make it writable, or set ${variable} to another one.`,
      { cause },
    );
  }
  return folders;
}
