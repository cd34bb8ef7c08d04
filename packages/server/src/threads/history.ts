import type { Turn, TurnPart } from "@atoll/agent";
import type { StoredEvent } from "@atoll/protocol";

/** Reads turns out of a thread's log, event by event. Holds no more of them than the limits say, the latest. */
export class TurnReading {
  readonly #limits: TurnLimits;
  readonly #messages = new Map<string, Said>();
  #turns: { turn: Turn; chars: number }[] = [];
  #chars = 0;
  #open: OpenTurn | undefined;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Of runs that have ended, oldest first. */
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

export interface TurnLimits {
  readonly maxTurns: number;
  /** Of all turns together; the last one is kept however long it is. */
  readonly maxChars: number;
}

interface Said {
  readonly text: string;
  readonly isCode: boolean;
}

type CallPart = Extract<TurnPart, { kind: "call" }>;

/** The turn of a run that has not ended. */
export class OpenTurn {
  readonly #said: Said;
  readonly #parts: TurnPart[] = [];
  /** Calls that the model did not make: a program's, or another agent's. */
  readonly #inner = new Set<string>();
  /** Pieces of the text that is being said. */
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

  /** Code that was not asked for as a tool call, as the built-in analyst runs it. */
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
