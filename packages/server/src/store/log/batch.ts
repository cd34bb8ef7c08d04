import type { StoredEvent } from "@atoll/protocol";
import type { NewEvent } from "../contract.ts";
import type { EventRow, Line } from "./line.ts";

/** One call of `append` on its way to the disk. */
export class Append {
  readonly threadId: string;
  readonly rows: readonly NewRow[];
  readonly isDurable: boolean;
  readonly effect: Effect;
  readonly stored: Promise<readonly StoredEvent[]>;
  readonly #settle: PromiseWithResolvers<readonly StoredEvent[]>;
  /** As they are stored, with their ids. */
  placed: readonly EventRow[] = [];
  lines: readonly Line[] = [];
  refusal: Error | undefined;

  /** Throws when an event cannot be written as JSON. */
  constructor(
    threadId: string,
    events: readonly NewEvent[],
    options: { isDurable?: boolean; effect?: Effect } = {},
  ) {
    this.threadId = threadId;
    this.isDurable = options.isDurable ?? false;
    this.effect = options.effect ?? {};
    const now = Date.now();
    this.rows = events.map((newEvent) => toRow(newEvent, now));
    this.#settle = Promise.withResolvers();
    this.stored = this.#settle.promise;
  }

  /** Tells the caller how it went. */
  settle(): void {
    if (this.refusal) this.#settle.reject(this.refusal);
    else this.#settle.resolve(this.lines.map((line) => line.event));
  }
}

/** What is said of the thread in its place among the events. */
export interface Effect {
  readonly settles?: boolean;
  readonly skipsIds?: number;
}

interface NewRow {
  readonly type: NewEvent["event"]["type"];
  readonly run_id: string | null;
  readonly at: number;
  readonly payload: string;
}

function toRow({ event, runId, at }: NewEvent, now: number): NewRow {
  const ownRunId = "run_id" in event ? event.run_id : undefined;
  return {
    type: event.type,
    run_id: runId ?? ownRunId ?? null,
    at: at === undefined ? now : Date.parse(at),
    payload: toPayload(event),
  };
}

/** What the envelope says is not said twice. */
function toPayload(event: NewEvent["event"]): string {
  if (!("run_id" in event)) return JSON.stringify(event);
  const { run_id: _, ...rest } = event;
  if (!("thread_id" in rest)) return JSON.stringify(rest);
  const { thread_id: __, ...own } = rest;
  return JSON.stringify(own);
}
