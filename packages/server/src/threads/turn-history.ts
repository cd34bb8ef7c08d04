import type { Turn } from "@atoll/agent";
import type { StoredEvent } from "@atoll/protocol";
import type { ThreadLog } from "../store/contract.ts";
import { TurnReading, type TurnLimits } from "./history.ts";

/** The latest turns of threads. What was read once is kept for a while: only what came since is read again. */
export class TurnHistory {
  readonly #log: ThreadLog;
  readonly #limits: TurnLimits;
  readonly #readings = new Map<string, { reading: TurnReading; readTo: number }>();

  constructor(log: ThreadLog, limits: TurnLimits = defaultTurnLimits) {
    this.#log = log;
    this.#limits = limits;
  }

  read(threadId: string): readonly Turn[] {
    const known = this.#readings.get(threadId) ?? this.#begin(threadId);
    this.#readings.delete(threadId);
    for (;;) {
      const page = this.#log.read(threadId, { after: known.readTo, types: turnTypes, limit: pageSize });
      for (const event of page) known.reading.add(event);
      known.readTo = page.at(-1)?.id ?? known.readTo;
      if (page.length < pageSize) break;
    }
    this.#remember(threadId, known);
    return known.reading.turns;
  }

  forget(threadId: string): void {
    this.#readings.delete(threadId);
  }

  /** A long thread is read from the first run that can matter, with the messages that were sent before it. */
  #begin(threadId: string): { reading: TurnReading; readTo: number } {
    const reading = new TurnReading(this.#limits);
    const [first] = this.#log.read(threadId, { types: ["run_started"], last: this.#limits.maxTurns });
    if (first === undefined) return { reading, readTo: 0 };
    const messages = this.#log.read(threadId, {
      types: ["message"],
      last: this.#limits.maxTurns + messagesBefore,
    });
    for (const message of messages) if (message.id < first.id) reading.add(message);
    return { reading, readTo: first.id - 1 };
  }

  #remember(threadId: string, known: { reading: TurnReading; readTo: number }): void {
    this.#readings.set(threadId, known);
    if (this.#readings.size <= maxReadings) return;
    const [eldest] = this.#readings.keys();
    if (eldest !== undefined) this.#readings.delete(eldest);
  }
}

const defaultTurnLimits: TurnLimits = { maxTurns: 50, maxChars: 400_000 };
const maxReadings = 64;
const pageSize = 2000;
/** Messages wait in a queue: the one that a run answers may be that much older than the run. */
const messagesBefore = 400;

const turnTypes: StoredEvent["type"][] = [
  "message",
  "message_removed",
  "run_started",
  "steered",
  "token",
  "tool_call",
  "tool_result",
  "code_run",
  "done",
];
