import { AtollError } from "@atoll/sandbox";

/** Whether SQLite says that the file is not what it wrote. */
export function isDamage(cause: unknown): boolean {
  const errcode = (cause as { errcode?: unknown } | undefined)?.errcode;
  return typeof errcode === "number" && damageCodes.has(errcode & 0xff);
}

export function damagedDatabase(cause?: unknown): AtollError {
  return new AtollError("damaged", damagedDatabaseText, { cause });
}

export const damagedDatabaseText =
  "The server's database atoll.db is damaged on disk. What can still be read works. " +
  "Stop the server and run `atoll doctor --repair`: it saves what can be saved and keeps the damaged file.";

/** What was stored as JSON. */
export function parseStored(text: string, what: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new AtollError("damaged", `${what} is damaged in the server's database.`, { cause });
  }
}

/** SQLITE_CORRUPT and SQLITE_NOTADB, without what the upper bytes add. */
const damageCodes = new Set([11, 26]);
