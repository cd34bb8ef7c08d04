import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../database.ts";
import { replaceFile } from "../data-folder/replace-file.ts";
import { lossName, readMarker } from "./marker.ts";

/**
 * What was acknowledged and is not in the database any more, in words; undefined when nothing is missing. Told at every
 * start until an operator has put the notice away.
 */
export function findLoss(folder: string, database: Database): string | undefined {
  const marked = readMarker(folder);
  const missing = marked - database.acknowledged;
  const noticePath = join(folder, lossName);
  if (missing > 0) {
    replaceFile(noticePath, `${describe(missing)}\n`);
    // Numbers go on behind what was acknowledged, so that this is told once and not at every change.
    database.acknowledged = marked;
  }
  return existsSync(noticePath) ? readFileSync(noticePath, "utf8").trim() : undefined;
}

function describe(missing: number): string {
  return (
    `The last ${missing} acknowledged changes are not in atoll.db any more (noticed ${new Date().toISOString()}): ` +
    "its write-ahead log atoll.db-wal was lost, or an older copy was put in its place. " +
    "Files that no thread names are kept. Put the newer files back, or run `atoll doctor --repair` to go on without them."
  );
}
