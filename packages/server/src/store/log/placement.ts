import { AtollError } from "@atoll/sandbox";
import type { Append } from "./batch.ts";
import type { Head } from "./event-table.ts";
import type { EventRow } from "./line.ts";

/** Gives the appends of a batch their ids. */
export class Placement {
  readonly #findHead: (threadId: string) => Head | undefined;
  readonly #threads = new Map<string, PlacedThread>();

  constructor(findHead: (threadId: string) => Head | undefined) {
    this.#findHead = findHead;
  }

  get threads(): Iterable<PlacedThread> {
    return this.#threads.values();
  }

  headOf(threadId: string): Head | undefined {
    return this.#threads.get(threadId)?.head;
  }

  add(append: Append): void {
    const thread = this.#open(append.threadId);
    if (thread === undefined) {
      append.refusal = noThread();
      return;
    }
    const { key, lastId } = thread.head;
    const firstId = lastId + (append.effect.skipsIds ?? 0) + 1;
    append.placed = append.rows.map((row, index) => ({ ...row, id: firstId + index }));
    thread.head = { key, lastId: firstId + append.rows.length - 1 };
    thread.appends.push(append);
  }

  /** What the batch does to each thread. */
  sumUp(): ThreadChanges[] {
    return [...this.#threads].map(([threadId, { appends, lastIdBefore, head }]) => {
      const skips = appends.some(({ effect }) => effect.skipsIds !== undefined);
      const isSettled = appends.map(settlesThread).findLast((settles) => settles !== undefined);
      return {
        threadId,
        lastIdBefore,
        rows: appends.flatMap(({ placed }) => placed),
        ...(skips ? { skippedTo: head.lastId } : {}),
        isSettled,
      };
    });
  }

  #open(threadId: string): PlacedThread | undefined {
    let thread = this.#threads.get(threadId);
    if (thread === undefined) {
      const head = this.#findHead(threadId);
      if (head === undefined) return undefined;
      thread = { threadId, head, lastIdBefore: head.lastId, appends: [] };
      this.#threads.set(threadId, thread);
    }
    return thread;
  }
}

interface PlacedThread {
  readonly threadId: string;
  readonly lastIdBefore: number;
  readonly appends: Append[];
  /** Where the thread's log ends with this batch. */
  head: Head;
}

export interface ThreadChanges {
  readonly threadId: string;
  readonly lastIdBefore: number;
  readonly rows: readonly EventRow[];
  /** Absent: as it was. */
  readonly isSettled?: boolean;
  readonly skippedTo?: number;
}

export function noThread(): AtollError {
  return new AtollError("not_found", "There is no such thread.");
}

function settlesThread({ rows, effect }: Append): boolean | undefined {
  if (effect.settles) return true;
  return rows.some(({ type }) => type === "message" || type === "message_removed") ? false : undefined;
}
