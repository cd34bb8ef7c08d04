import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from "node:sqlite";
import { Database } from "../store/database.ts";
import { checksumOf } from "../store/log/checksum.ts";
import type { EventRow } from "../store/log/line.ts";
import { faultOf } from "./event-fault.ts";

export interface Salvaged {
  /** Rows that could be read, by table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Tables of which a part could not be read. */
  readonly incomplete: readonly string[];
  /** Threads of which only the log was left. */
  readonly renamed: number;
  /** Events that are no JSON any more, and so are left out. */
  readonly unreadable: number;
  /** Events that were changed on disk and are kept as they read now. */
  readonly changed: number;
}

/**
 * Copies every row of a damaged database that can be read into a new one at `target`. The source is only read.
 * `acknowledged`: as many changes as were acknowledged so far, so that the new one is not taken for an older copy.
 */
export function salvage(source: string, target: string, acknowledged: number): Salvaged {
  const copy = `${target}.source`;
  try {
    for (const end of ["", "-wal"]) copyIfPresent(source + end, copy + end);
    new Database(target).close();
    const into = new DatabaseSync(target);
    try {
      into.exec("PRAGMA foreign_keys = OFF");
      into.prepare("UPDATE acknowledged SET count = ?").run(acknowledged);
      const from = openOrMend(copy, target);
      try {
        return copyRows(from, into);
      } finally {
        from.close();
      }
    } finally {
      into.close();
    }
  } finally {
    for (const end of ["", "-wal", "-shm"]) rmSync(copy + end, { force: true });
  }
}

const tables = ["threads", "events", "uploads", "thread_files", "texts", "shares"] as const;
/** Their rows have no number to go by. */
const unnumbered: ReadonlySet<string> = new Set(["uploads", "thread_files", "shares"]);

function copyRows(from: DatabaseSync, into: DatabaseSync): Salvaged {
  const rows: Record<string, number> = {};
  const incomplete: string[] = [];
  const faults = { "is no JSON": 0, "was changed on disk": 0 };
  /** A thread with one event that cannot be read cannot be opened at all. */
  const mend = (row: Row): Row | undefined => {
    const event = row as unknown as EventRow;
    const fault = faultOf(event);
    if (fault === undefined) return row;
    faults[fault] += 1;
    return fault === "is no JSON" ? undefined : { ...row, checksum: checksumOf(event) };
  };
  into.exec("BEGIN");
  for (const table of tables) {
    const keep = makeKeeper(into, table);
    const add = (row: Row) => {
      const mended = table === "events" ? mend(row) : row;
      if (mended) keep.add(mended);
    };
    const isWhole = (unnumbered.has(table) ? readEnds : readNumbered)(from, table, add);
    rows[table] = keep.count();
    if (!isWhole) incomplete.push(table);
  }
  copyClocks(from, into);
  const { changes } = into.prepare(nameLostThreads).run();
  into.exec("COMMIT");
  return {
    rows,
    incomplete,
    renamed: Number(changes),
    unreadable: faults["is no JSON"],
    changed: faults["was changed on disk"],
  };
}

/** Events whose thread could not be read: their log is all that is left of it. */
const nameLostThreads = `
  INSERT INTO threads (key, id, title, is_titled_by_user, is_settled, message_count, created_at, used_at)
  SELECT thread_key, 'salvaged_' || thread_key || '_' || min(at), 'Salvaged', 1, 0,
    count(*) FILTER (WHERE type = 'message'), min(at), max(at)
  FROM events WHERE thread_key NOT IN (SELECT key FROM threads) GROUP BY thread_key`;

function makeKeeper(into: DatabaseSync, table: string) {
  const columns = into.prepare(`SELECT name FROM pragma_table_info('${table}')`).all();
  const names = columns.map(({ name }) => String(name));
  const marks = names.map(() => "?").join(", ");
  const insert = into.prepare(`INSERT OR IGNORE INTO ${table} (${names.join(", ")}) VALUES (${marks})`);
  let count = 0;
  const add = (row: Row) => {
    try {
      count += Number(insert.run(...names.map((name) => (row[name] ?? null) as SQLInputValue)).changes);
    } catch {
      // What does not fit its table was not written by Atoll.
    }
  };
  return { add, count: () => count };
}

type Row = Record<string, SQLOutputValue>;

/** In order, past what cannot be read. False when there was such a part. */
function readNumbered(from: DatabaseSync, table: string, add: (row: Row) => void): boolean {
  const mostSkipped = Number(from.prepare("PRAGMA page_count").get()?.["page_count"] ?? 0) * rowsInPage;
  let after = 0;
  for (let isWhole = true; ; isWhole = false) {
    try {
      const rows = from.prepare(`SELECT rowid AS rowid_, * FROM ${table} WHERE rowid > ? ORDER BY rowid`);
      for (const row of rows.iterate(after)) {
        add(row);
        after = Number(row["rowid_"]);
      }
      return isWhole;
    } catch {
      const next = findReadable(from, table, after, mostSkipped);
      if (next === undefined) return false;
      after = next;
    }
  }
}

const rowsInPage = 100;

/** The lowest number behind the damage from where on rows can be read. */
function findReadable(from: DatabaseSync, table: string, after: number, most: number): number | undefined {
  const isReadable = (number: number) => {
    try {
      return from.prepare(`SELECT * FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT 1`).get(number);
    } catch {
      return undefined;
    }
  };
  let low = after;
  let high = after + 1;
  for (let step = 1; !isReadable(high); step *= 2) {
    if (step > most) return undefined;
    low = high;
    high = after + step;
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isReadable(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** From both ends to the damage. */
function readEnds(from: DatabaseSync, table: string, add: (row: Row) => void): boolean {
  const readAll = (order: string) => {
    try {
      const key = from
        .prepare(`SELECT name FROM pragma_table_info('${table}') WHERE pk > 0 ORDER BY pk`)
        .all();
      const by = key.map(({ name }) => `${String(name)} ${order}`).join(", ");
      for (const row of from.prepare(`SELECT * FROM ${table} ORDER BY ${by}`).iterate()) add(row);
      return true;
    } catch {
      return false;
    }
  };
  return readAll("ASC") || (readAll("DESC"), false);
}

/** Ages go on where they were. */
function copyClocks(from: DatabaseSync, into: DatabaseSync): void {
  try {
    const row = from.prepare("SELECT age_ms, wall_ms FROM age_clock").get();
    if (row)
      into
        .prepare("UPDATE age_clock SET age_ms = ?, wall_ms = ?")
        .run(row["age_ms"] ?? 0, row["wall_ms"] ?? 0);
  } catch {
    // Threads then count as used just now.
    into.exec(
      "UPDATE threads SET used_age = 0, trashed_age = CASE WHEN trashed_at IS NULL THEN NULL ELSE 0 END",
    );
  }
}

/** A file whose first page is gone is read by the first page of a new one: the same statements made both. */
function openOrMend(path: string, fresh: string): DatabaseSync {
  try {
    return openReadable(path);
  } catch {
    const bytes = readFileSync(path);
    const first = readFileSync(fresh).subarray(0, pageBytes);
    if (bytes.length < pageBytes) throw new Error("nothing is left of it");
    first.copy(bytes);
    bytes.writeUInt32BE(Math.floor(bytes.length / pageBytes), 28);
    bytes.copy(bytes, 92, 24, 28);
    writeFileSync(path, bytes);
    rmSync(`${path}-wal`, { force: true });
    return openReadable(path);
  }
}

const pageBytes = 4096;

function openReadable(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    database.prepare("SELECT count(*) FROM sqlite_master").get();
    database.prepare("SELECT 1 FROM threads LIMIT 0").get();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function copyIfPresent(from: string, to: string): void {
  try {
    copyFileSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
