import type { CodeRun, DataProfile, RunEvent, StoredEvent } from "@atoll/protocol";
import { type Call, Calls } from "./calls.ts";

export interface Transcript {
  readonly threadId: string;
  readonly title: string | null;
  readonly createdAt: string;
  /** The latest reading of the thread's files. */
  readonly data: DataProfile | undefined;
  readonly entries: readonly Entry[];
}

export type Entry =
  | {
      readonly kind: "user";
      readonly text: string;
      /** The text is code of this language. Unless a remark says otherwise, its run follows, with the code. */
      readonly code?: CodeRun["language"];
      readonly remark?: string;
    }
  | { readonly kind: "answer"; text: string }
  | { readonly kind: "call"; readonly call: Call }
  /** Something the reader should know: an error, a stop, a decision. */
  | { readonly kind: "remark"; readonly text: string };

/** The log as a conversation. Messages stand where they were answered, not where they came in. */
export function readTranscript(
  thread: { id: string; title: string | null; createdAt: string },
  events: readonly StoredEvent[],
): Transcript {
  const reader = new TranscriptReader();
  for (const event of events) reader.take(event);
  reader.end();
  const { entries, data } = reader;
  return { threadId: thread.id, title: thread.title, createdAt: thread.createdAt, data, entries };
}

type Waiting = Pick<Extract<Entry, { kind: "user" }>, "text" | "code">;

class TranscriptReader {
  readonly entries: Entry[] = [];
  data: DataProfile | undefined;
  readonly #waiting = new Map<string, Waiting>();
  readonly #calls = new Calls();
  #running: string | undefined;
  #saidInRun = false;

  take(event: StoredEvent): void {
    const call = this.#calls.take(event);
    if (call) this.entries.push({ kind: "call", call });
    switch (event.type) {
      case "message":
        this.#waiting.set(event.message_id, {
          text: event.text,
          ...(event.kind === "code" ? { code: event.language ?? "python" } : {}),
        });
        break;
      case "message_removed":
        this.#waiting.delete(event.message_id);
        break;
      case "data":
        this.data = event.data;
        break;
      case "run_started":
        this.#running = event.run_id;
        this.#saidInRun = false;
        this.#showMessage(event.message_id);
        break;
      case "steered":
        this.#showMessage(event.message_id, "sent while the answer was under way");
        break;
      case "token":
        this.#say(event.text);
        break;
      case "approval":
        this.#remark(`Asked for permission to use \`${event.tool}\`.`);
        break;
      case "approval_decided":
        this.#remark(describeDecision(event));
        break;
      case "error":
        this.#remark([`Error: ${event.message}`, event.hint].filter(Boolean).join(" "));
        break;
      case "done":
        this.#finish(event);
        break;
      default:
    }
  }

  end(): void {
    if (this.#running !== undefined) this.#remark("The answer was still under way when this was exported.");
    for (const message of this.#waiting.values())
      this.entries.push({
        kind: "user",
        ...message,
        remark: message.code ? "not run yet" : "not answered yet",
      });
  }

  #showMessage(messageId: string, remark?: string): void {
    const message = this.#waiting.get(messageId);
    if (message === undefined) return;
    this.#waiting.delete(messageId);
    this.entries.push({ kind: "user", ...message, remark });
  }

  #say(text: string): void {
    this.#saidInRun = true;
    const last = this.entries.at(-1);
    if (last?.kind === "answer") last.text += text;
    else this.entries.push({ kind: "answer", text });
  }

  #finish({ status, response }: Extract<RunEvent, { type: "done" }>): void {
    this.#running = undefined;
    if (!this.#saidInRun && response !== "") this.#say(response);
    if (status === "stopped") this.#remark("The answer was stopped here.");
    if (status === "failed") this.#remark("The answer ended with this error.");
    if (status === "interrupted") this.#remark("The answer was interrupted here: the server ended.");
  }

  #remark(text: string): void {
    this.entries.push({ kind: "remark", text: text.replace(/\s+/g, " ").trim() });
  }
}

function describeDecision({ decision, reason, by }: Extract<RunEvent, { type: "approval_decided" }>): string {
  const why = reason ?? (by === "timeout" ? "nobody decided in time" : by === "rule" ? "by a rule" : "");
  const because = why === "" ? "" : `: ${why}`;
  return `${decision === "allow" ? "Allowed" : "Refused"}${because}.`;
}
