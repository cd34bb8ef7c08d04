import type { Turn, TurnPart } from "@atoll/agent";
import type { StoredEvent } from "@atoll/protocol";
import type { ThreadLog } from "../store/contract.ts";

/** The latest turns of a thread. Only events that are new since the last reading are read again. */
export class TurnHistory {
  readonly #log: ThreadLog;
  readonly #threadId: string;
  readonly #limits: TurnLimits;
  #reading: TurnReading | undefined;
  #readTo = 0;

  constructor(log: ThreadLog, threadId: string, limits: TurnLimits = DEFAULT_LIMITS) {
    this.#log = log;
    this.#threadId = threadId;
    this.#limits = limits;
  }

  read(): readonly Turn[] {
    const reading = (this.#reading ??= this.#begin());
    for (;;) {
      const page = this.#log.read(this.#threadId, {
        after: this.#readTo,
        types: TURN_TYPES,
        limit: PAGE_SIZE,
      });
      for (const event of page) reading.add(event);
      this.#readTo = page.at(-1)?.id ?? this.#readTo;
      if (page.length < PAGE_SIZE) return reading.turns;
    }
  }

  /** Frees memory: the next `read` starts from the log again. */
  dropCache(): void {
    this.#reading = undefined;
  }

  /** A long thread is read from the first run that can matter, with the messages that were sent before it. */
  #begin(): TurnReading {
    const reading = new TurnReading(this.#limits);
    const { maxTurns } = this.#limits;
    const [first] = this.#log.read(this.#threadId, { types: ["run_started"], last: maxTurns });
    this.#readTo = first === undefined ? 0 : first.id - 1;
    if (first === undefined) return reading;
    const messages = this.#log.read(this.#threadId, { types: ["message"], last: maxTurns + MESSAGES_BEFORE });
    for (const message of messages) if (message.id < first.id) reading.add(message);
    return reading;
  }
}

const PAGE_SIZE = 2000;
/** Messages wait in a queue: the one that a run answers may be this many messages older than the run. */
const MESSAGES_BEFORE = 400;

const TURN_TYPES: readonly StoredEvent["type"][] = [
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

/** Makes turns of a thread's events, one event at a time. Keeps the latest ones, up to the limits. */
class TurnReading {
  readonly #limits: TurnLimits;
  readonly #messages = new Map<string, Said>();
  #turns: { turn: Turn; chars: number }[] = [];
  #chars = 0;
  #open: OpenTurn | undefined;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Turns of runs that have ended, oldest first. */
  get turns(): readonly Turn[] {
    return this.#turns.map(({ turn }) => turn);
  }

  add(event: StoredEvent): void {
    switch (event.type) {
      case "message":
        this.#messages.set(event.message_id, { text: event.text, isCode: event.kind === "code" });
        break;
      case "message_removed":
        this.#messages.delete(event.message_id);
        break;
      case "run_started":
        this.#open = new OpenTurn(this.#takeMessage(event.message_id));
        break;
      case "steered":
        this.#open?.push({ kind: "steering", text: this.#takeMessage(event.message_id).text });
        break;
      case "done":
        if (this.#open) this.#keep(this.#open.close(event.status));
        this.#open = undefined;
        break;
      default:
        this.#open?.add(event);
    }
  }

  #takeMessage(messageId: string): Said {
    const said = this.#messages.get(messageId) ?? { text: "", isCode: false };
    this.#messages.delete(messageId);
    return said;
  }

  #keep(turn: Turn): void {
    const chars = countChars(turn);
    this.#turns.push({ turn, chars });
    this.#chars += chars;
    while (
      this.#turns.length > this.#limits.maxTurns ||
      (this.#chars > this.#limits.maxChars && this.#turns.length > 1)
    ) {
      this.#chars -= this.#turns.shift()?.chars ?? 0;
    }
  }
}

interface TurnLimits {
  readonly maxTurns: number;
  /** Of all turns together. The last one is kept whatever its length. */
  readonly maxChars: number;
}

const DEFAULT_LIMITS: TurnLimits = { maxTurns: 50, maxChars: 400_000 };

interface Said {
  readonly text: string;
  readonly isCode: boolean;
}

type CallPart = Extract<TurnPart, { kind: "call" }>;

/** The turn of a run that has not ended. */
export class OpenTurn {
  readonly #said: Said;
  readonly #parts: TurnPart[] = [];
  /** Calls made by a program or by another agent, not by the model. */
  readonly #inner = new Set<string>();
  /** Pieces of the current text. */
  #text: string[] = [];

  constructor(said: Said) {
    this.#said = said;
  }

  add(event: StoredEvent): void {
    if (event.type === "token") {
      this.#text.push(event.text);
    } else if (event.type === "tool_call" && event.parent_call_id !== undefined) {
      this.#inner.add(event.call_id);
    } else if (event.type === "tool_call") {
      this.push({
        kind: "call",
        callId: event.call_id,
        tool: event.tool,
        input: event.input,
        isError: false,
      });
    } else if (event.type === "tool_result") {
      this.#finishCall(event.call_id, { output: event.output, isError: event.is_error });
    } else if (event.type === "code_run") {
      this.#noteCodeRun(event);
    }
  }

  push(part: TurnPart): void {
    this.#endText();
    this.#parts.push(part);
  }

  close(status: Turn["status"]): Turn {
    this.#endText();
    const { text, isCode } = this.#said;
    return { user: text, status, parts: this.#parts, ...(isCode ? { isCode } : {}) };
  }

  #endText(): void {
    const text = this.#text.join("");
    this.#text = [];
    if (text !== "") this.#parts.push({ kind: "text", text });
  }

  #finishCall(callId: string, result: { output: string; isError: boolean }): void {
    const index = this.#findCall(callId);
    const call = this.#parts[index];
    if (call?.kind === "call") this.#parts[index] = { ...call, ...result };
  }

  /** Code that ran without a tool call, as the built-in analyst does. */
  #noteCodeRun(event: Extract<StoredEvent, { type: "code_run" }>): void {
    if (this.#inner.has(event.call_id) || this.#findCall(event.call_id) !== -1) return;
    const call: CallPart = {
      kind: "call",
      callId: event.call_id,
      tool: event.language === "python" ? "execute_python" : "execute_shell",
      input: event.language === "python" ? { code: event.code } : { command: event.code },
      output: event.output,
      isError: event.status !== "ok",
    };
    this.push(call);
  }

  #findCall(callId: string): number {
    return this.#parts.findLastIndex((part) => part.kind === "call" && part.callId === callId);
  }
}

function countChars(turn: Turn): number {
  return turn.parts.reduce((sum, part) => sum + countPart(part), turn.user.length);
}

function countPart(part: TurnPart): number {
  if (part.kind !== "call") return part.text.length;
  return (JSON.stringify(part.input)?.length ?? 0) + (part.output?.length ?? 0);
}
