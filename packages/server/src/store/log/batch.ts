import type { StoredEvent } from "../../schemas/events.ts";
import type { NewEvent } from "../contract.ts";
import type { Line } from "./line.ts";

/** One call of `append` on its way to the disk. */
export class Append {
  readonly threadId: string;
  readonly rows: readonly NewRow[];
  readonly isDurable: boolean;
  readonly stored: Promise<readonly StoredEvent[]>;
  readonly #settle: PromiseWithResolvers<readonly StoredEvent[]>;
  lines: readonly Line[] = [];
  refusal: Error | undefined;

  /** Throws when an event cannot be written as JSON. */
  constructor(threadId: string, events: readonly NewEvent[], isDurable: boolean) {
    this.threadId = threadId;
    this.isDurable = isDurable;
    const at = Date.now();
    this.rows = events.map((newEvent) => toRow(newEvent, at));
    this.#settle = Promise.withResolvers();
    this.stored = this.#settle.promise;
  }

  /** Tells the caller how it went. */
  settle(): void {
    if (this.refusal) this.#settle.reject(this.refusal);
    else this.#settle.resolve(this.lines.map((line) => line.event));
  }
}

interface NewRow {
  readonly type: NewEvent["event"]["type"];
  readonly run_id: string | null;
  readonly at: number;
  readonly payload: string;
}

function toRow({ event, runId }: NewEvent, at: number): NewRow {
  const ownRunId = "run_id" in event ? event.run_id : undefined;
  return { type: event.type, run_id: runId ?? ownRunId ?? null, at, payload: toPayload(event) };
}

/** What the envelope says is not said twice. */
function toPayload(event: NewEvent["event"]): string {
  if (!("run_id" in event)) return JSON.stringify(event);
  const { run_id: _, ...rest } = event;
  if (!("thread_id" in rest)) return JSON.stringify(rest);
  const { thread_id: __, ...own } = rest;
  return JSON.stringify(own);
}
