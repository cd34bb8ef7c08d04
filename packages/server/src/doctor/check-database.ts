import { DatabaseSync } from "node:sqlite";
import type { EventRow } from "../store/log/line.ts";
import { faultOf } from "./event-fault.ts";

/** What SQLite finds wrong in the whole file, and events that are not what was stored. */
export function checkDatabase(path: string): string[] {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    const rows = database.prepare("PRAGMA integrity_check(10)").all();
    const faults = rows.map((row) => String(row["integrity_check"])).filter((text) => text !== "ok");
    if (faults.length > 0) return faults;
    return hasEvents(database) ? findBrokenEvents(database) : [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    database?.close();
  }
}

function hasEvents(database: DatabaseSync): boolean {
  return database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'events'").get() !== undefined;
}

function findBrokenEvents(database: DatabaseSync): string[] {
  const rows = database.prepare(
    "SELECT events.*, threads.id AS thread FROM events JOIN threads ON threads.key = thread_key",
  );
  const found: string[] = [];
  for (const row of rows.iterate()) {
    const fault = faultOf(row as unknown as EventRow);
    if (fault) found.push(`event ${row["id"]} of thread ${row["thread"]} ${fault}`);
    if (found.length === maxNamed) break;
  }
  return found;
}

const maxNamed = 10;
