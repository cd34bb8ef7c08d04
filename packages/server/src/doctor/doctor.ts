import { existsSync, readFileSync, renameSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AtollError } from "@atoll/sandbox";
import { formatMark, lossName, markerName, readMarker } from "../store/damage/marker.ts";
import { takeOwnership } from "../store/data-folder/folder-lock.ts";
import { replaceFile } from "../store/data-folder/replace-file.ts";
import { checkDatabase } from "./check-database.ts";
import { checkContents } from "./check-contents.ts";
import { salvage } from "./salvage.ts";

export interface Finding {
  readonly state: "ok" | "damaged" | "repaired";
  /** In words, with what to do. */
  readonly message: string;
}

/**
 * Looks through a data folder. `isRepairing`: saves what can be saved; a damaged file is kept next to the new one, and
 * nothing is ever deleted. Fails with `busy` when a server uses the folder.
 */
export async function* examine(
  dataDir: string,
  { isRepairing }: { isRepairing: boolean },
): AsyncGenerator<Finding> {
  const server = join(dataDir, "server");
  if (!existsSync(server))
    throw new AtollError(
      "not_found",
      `There is no data of an Atoll server in ${dataDir}. Set ATOLL_DATA_DIR.`,
    );
  const giveUp = takeOwnership(server);
  try {
    const database = join(server, "atoll.db");
    const found = existsSync(database) ? examineDatabase(server, database, isRepairing) : undefined;
    if (found) yield found;
    yield* examineLoss(server, { isRepairing: isRepairing && found?.state !== "repaired" });
    const alarms = join(dataDir, "lifecycle.db");
    if (existsSync(alarms)) yield examineAlarms(alarms, isRepairing);
    yield* checkContents(dataDir, database);
  } finally {
    giveUp();
  }
}

function examineDatabase(server: string, path: string, isRepairing: boolean): Finding {
  const faults = checkDatabase(path);
  if (faults.length === 0) return { state: "ok", message: "atoll.db is sound" };
  const found = `atoll.db is damaged: ${faults.join("; ").slice(0, 400)}`;
  if (!isRepairing) return { state: "damaged", message: `${found}. Run \`atoll doctor --repair\`.` };
  const aside = putAside(path, () => salvage(path, `${path}.salvaged`, readMarker(server)));
  const { rows, incomplete, renamed, unreadable, changed } = aside.result;
  renameSync(`${path}.salvaged`, path);
  const summary =
    `${rows["threads"] ?? 0} threads, ${rows["events"] ?? 0} events and ${rows["uploads"] ?? 0} uploads were saved` +
    (incomplete.length > 0 ? `; a part of ${incomplete.join(", ")} could not be read` : "") +
    (unreadable > 0 ? `; ${unreadable} events could not be read and are left out` : "") +
    (changed > 0 ? `; ${changed} events were changed on disk and are kept as they read now` : "") +
    (renamed > 0 ? `; ${renamed} threads have a new id and the title "Salvaged"` : "");
  replaceFile(
    join(server, lossName),
    `atoll.db was damaged and repaired (${new Date().toISOString()}): ${summary}. Files that no thread names are kept ` +
      "until you run `atoll doctor --repair` once more.\n",
  );
  return { state: "repaired", message: `${found}. ${summary}. The damaged file is kept as ${aside.name}.` };
}

/** A notice that was made just now is for the operator to read first. */
function* examineLoss(server: string, { isRepairing }: { isRepairing: boolean }): Generator<Finding> {
  const notice = join(server, lossName);
  if (existsSync(notice) && isRepairing) {
    renameSync(notice, `${notice}.${stamp()}`);
    yield {
      state: "repaired",
      message: "The notice of missing changes is put away: the server starts as usual.",
    };
  } else if (existsSync(notice)) {
    yield { state: "damaged", message: readFileSync(notice, "utf8").trim() };
  }
  const missing = countMissing(server);
  if (missing === 0) return;
  const message = `The last ${missing} acknowledged changes are not in atoll.db: its write-ahead log is lost, or it is an older copy`;
  if (isRepairing) replaceFile(join(server, markerName), formatMark(0));
  yield isRepairing
    ? { state: "repaired", message: `${message}. The server goes on without them.` }
    : {
        state: "damaged",
        message: `${message}. Put the newer files back, or run \`atoll doctor --repair\` to go on without them.`,
      };
}

function countMissing(server: string): number {
  const path = join(server, "atoll.db");
  if (!existsSync(path)) return readMarker(server);
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      const row = database.prepare("SELECT count FROM acknowledged").get();
      return Math.max(0, readMarker(server) - Number(row?.["count"] ?? 0));
    } finally {
      database.close();
    }
  } catch {
    // What cannot be read was told of already.
    return 0;
  }
}

function examineAlarms(path: string, isRepairing: boolean): Finding {
  const faults = checkDatabase(path);
  if (faults.length === 0) return { state: "ok", message: "lifecycle.db is sound" };
  const found = "lifecycle.db is damaged";
  if (!isRepairing)
    return { state: "damaged", message: `${found}: the next start puts it aside and sets all alarms anew.` };
  const { name } = putAside(path, () => undefined);
  return {
    state: "repaired",
    message: `${found}. It is kept as ${name}; the next start sets all alarms anew.`,
  };
}

/** Keeps the file, with what belongs to it, under a name that says when; `first` may still read it where it was. */
function putAside<Result>(path: string, first: () => Result): { name: string; result: Result } {
  const result = first();
  const aside = `${path}.damaged-${stamp()}`;
  for (const end of ["", "-wal", "-shm"]) if (existsSync(path + end)) renameSync(path + end, aside + end);
  return { name: basename(aside), result };
}

function stamp(): string {
  return new Date().toISOString().replaceAll(":", "-");
}
