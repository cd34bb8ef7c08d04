import type { StoredEvent, ThreadEvent } from "../../schemas/events.ts";
import type { LogLine } from "../contract.ts";

/** A row of the log. The payload is the event's own JSON; the envelope is put before it without parsing. */
export class Line implements LogLine {
  readonly id: number;
  readonly type: ThreadEvent["type"];
  readonly json: string;
  #event: StoredEvent | undefined;

  constructor(threadId: string, row: EventRow) {
    this.id = row.id;
    this.type = row.type as ThreadEvent["type"];
    const run = row.run_id === null ? "" : `,"run_id":${JSON.stringify(row.run_id)}`;
    const at = new Date(row.at).toISOString();
    this.json =
      `{"id":${row.id},"thread_id":${JSON.stringify(threadId)}${run},"at":"${at}"` +
      `,${row.payload.slice(1)}`;
  }

  get event(): StoredEvent {
    this.#event ??= JSON.parse(this.json) as StoredEvent;
    return this.#event;
  }
}

export interface EventRow {
  readonly id: number;
  readonly type: string;
  readonly run_id: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly payload: string;
}
