import { AtollError } from "@atoll/sandbox";
import { checksumOf } from "./checksum.ts";
import { parseStored } from "../damage/damaged-error.ts";
import type { StoredEvent, ThreadEvent } from "@atoll/protocol";
import type { LogLine } from "../contract.ts";

/** A row of the log. The payload is the event's own JSON; the envelope is put before it without parsing. */
export class Line implements LogLine {
  readonly id: number;
  readonly type: ThreadEvent["type"];
  readonly json: string;
  #event: StoredEvent | undefined;

  /** Throws `damaged` when the row is not what was stored. */
  constructor(threadId: string, row: EventRow) {
    if (typeof row.checksum === "number" && row.checksum !== checksumOf(row)) throw damaged(row);
    this.id = row.id;
    this.type = row.type as ThreadEvent["type"];
    const run = row.run_id === null ? "" : `,"run_id":${JSON.stringify(row.run_id)}`;
    const at = formatTime(row);
    this.json =
      `{"id":${row.id},"thread_id":${JSON.stringify(threadId)}${run},"at":"${at}"` +
      `,${row.payload.slice(1)}`;
  }

  get event(): StoredEvent {
    this.#event ??= parseStored(this.json, nameOf(this)) as StoredEvent;
    return this.#event;
  }
}

function formatTime(row: EventRow): string {
  try {
    return new Date(row.at).toISOString();
  } catch (cause) {
    throw damaged(row, cause);
  }
}

function damaged(row: EventRow, cause?: unknown): AtollError {
  return new AtollError("damaged", `${nameOf(row)} is damaged in the server's database.`, { cause });
}

function nameOf({ id, type }: { id: number; type: string }): string {
  return `Event ${id} (${type}) of this thread`;
}

export interface EventRow {
  readonly id: number;
  readonly type: string;
  readonly run_id: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly payload: string;
  /** Null or absent: not known, so that nothing is checked. */
  readonly checksum?: number | null;
}
