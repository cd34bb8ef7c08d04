import { existsSync } from "node:fs";
import { join } from "node:path";
import { AtollError } from "@atoll/sandbox";
import { createFileOnce } from "./replace-file.ts";

/**
 * A folder belongs to one database for good: with another one, all its files would be those of unknown threads, and be
 * swept away.
 */
export function checkFolderUse(folder: string, use: "own" | "shared"): void {
  const sharedMark = join(folder, "shared");
  if (use === "own" && existsSync(sharedMark)) {
    throw new AtollError(
      "invalid_argument",
      "This data folder belongs to servers that share a Postgres. Set DATABASE_URL to it, or ATOLL_DATA_DIR to another folder.",
    );
  }
  if (use === "shared" && existsSync(join(folder, "atoll.db"))) {
    throw new AtollError(
      "invalid_argument",
      "This data folder has threads of a server without DATABASE_URL. Set ATOLL_DATA_DIR to another folder for the servers that share a Postgres.",
    );
  }
  if (use === "shared")
    createFileOnce(sharedMark, "The threads of this folder are in Postgres (DATABASE_URL).\n");
}
