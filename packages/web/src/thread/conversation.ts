import type {
  DataProfile,
  DoneEvent,
  ErrorEvent,
  NetworkEvent,
  SandboxEvent,
  StatusEvent,
  StoredEvent,
} from "@atoll/client";
import { addCall, addRefusal, type Call, changeCall, isCall, readCallEvent, type Refusal } from "./calls.ts";

export type { Approval, Call, OutputPiece, Refusal } from "./calls.ts";

/** A projection of a thread's log for display. Items that an event does not touch keep their identity. */
export interface Conversation {
  readonly items: readonly Item[];
  readonly title?: string;
  readonly data?: DataProfile;
  /** The last event of the sandbox: restored or ended. */
  readonly sandbox?: SandboxEvent;
  /** The id of the last event that was read. */
  readonly lastEventId: number;
}

export type Item = Question | Answer | Notice;

export interface Question {
  readonly kind: "question";
  readonly id: string;
  readonly text: string;
  readonly at: string;
  /** `waiting`: not started yet. `steered`: delivered to a run that was already going. */
  readonly state: "waiting" | "taken" | "steered";
  /** Code that the user runs without a model. */
  readonly isCode: boolean;
}

export interface Answer {
  readonly kind: "answer";
  readonly id: string;
  readonly messageId: string;
  readonly model: string;
  readonly at: string;
  readonly parts: readonly Part[];
  /** What it is doing at the moment. */
  readonly status?: Pick<StatusEvent, "text" | "code">;
  readonly done?: DoneEvent;
  readonly error?: ErrorEvent;
}

export interface Notice {
  readonly kind: "notice";
  readonly id: string;
  readonly at: string;
  readonly event:
    | SandboxEvent
    | ErrorEvent
    | { readonly type: "refusals"; readonly refusals: readonly Refusal[] }
    | {
        readonly type: "tables";
        readonly tables: DataProfile["tables"];
        readonly others: DataProfile["others"];
      };
}

export type Part = Words | Call;

export interface Words {
  readonly kind: "words";
  readonly id: string;
  readonly text: string;
}

export const emptyConversation: Conversation = { items: [], lastEventId: 0 };

/** Skips events that were read before, so a page of events and a stream may overlap. */
export function readEvents(conversation: Conversation, events: readonly StoredEvent[]): Conversation {
  const items = [...conversation.items];
  let { title, data, sandbox, lastEventId } = conversation;
  for (const event of events) {
    if (event.id <= lastEventId) continue;
    lastEventId = event.id;
    if (event.type === "sandbox") sandbox = event;
    if (event.type === "title") title = event.title;
    else if (event.type === "data") {
      addTables(items, event, data);
      data = event.data;
    } else readEvent(items, event);
  }
  return {
    items,
    lastEventId,
    title,
    data,
    sandbox,
  };
}

function readEvent(items: Item[], event: StoredEvent): void {
  switch (event.type) {
    case "message":
      items.push(toQuestion(event));
      return;
    case "message_removed":
      removeQuestion(items, event.message_id);
      return;
    case "steered":
      changeQuestion(items, event.message_id, "steered");
      return;
    case "run_started":
      startAnswer(items, event);
      return;
    case "sandbox":
      if (event.run_id !== undefined)
        changeAnswer(items, event, (answer) => ({ ...answer, status: { text: event.text } }));
      // Before the first question only losses matter: uploading files recreates the sandbox.
      else if (items.some(({ kind }) => kind === "question") || (event.lost ?? []).length > 0)
        items.push({ kind: "notice", id: `e${event.id}`, at: event.at, event });
      return;
    case "error":
      if (event.run_id === undefined) items.push({ kind: "notice", id: `e${event.id}`, at: event.at, event });
      else changeAnswer(items, event, (answer) => ({ ...answer, error: event }));
      return;
    case "network":
      if (event.outcome === "refused") addRefused(items, event);
      return;
    default:
      changeAnswer(items, event, (answer) => readAnswerEvent(answer, event));
  }
}

/** Adds a notice for files that arrive during a conversation. Earlier ones are on the welcome screen. */
function addTables(
  items: Item[],
  event: StoredEvent & { type: "data" },
  before: DataProfile | undefined,
): void {
  const known = new Set([...(before?.tables ?? []), ...(before?.others ?? [])].map(({ file }) => file));
  const tables = event.data.tables.filter(({ file }) => !known.has(file));
  const others = event.data.others.filter(({ file }) => !known.has(file));
  if (before === undefined || tables.length + others.length === 0) return;
  if (!items.some(({ kind }) => kind === "question")) return;
  const notice = { type: "tables", tables, others } as const;
  items.push({ kind: "notice", id: `e${event.id}`, at: event.at, event: notice });
}

function toQuestion(event: StoredEvent & { type: "message" }): Question {
  const { message_id: id, text, at } = event;
  return { kind: "question", id, text, at, state: "waiting", isCode: event.kind === "code" };
}

/** The log does not name the call, so the latest one gets it. */
function addRefused(items: Item[], event: StoredEvent & NetworkEvent): void {
  const index = items.findLastIndex((item) => item.kind === "answer");
  const answer = items[index];
  const call = answer?.kind === "answer" && !answer.done ? answer.parts.findLast(isCall) : undefined;
  if (answer?.kind === "answer" && call) {
    const change = (found: Call) => ({ ...found, refusals: addRefusal(found.refusals, event) });
    items[index] = { ...answer, parts: changeCall(answer.parts, call.id, change) };
    return;
  }
  const last = items.at(-1);
  const known = last?.kind === "notice" && last.event.type === "refusals" ? last : undefined;
  const refusals = addRefusal(known?.event.type === "refusals" ? known.event.refusals : [], event);
  const notice = { type: "refusals", refusals } as const;
  if (known) items[items.length - 1] = { ...known, event: notice };
  else items.push({ kind: "notice", id: `e${event.id}`, at: event.at, event: notice });
}

function readAnswerEvent(answer: Answer, event: StoredEvent): Answer {
  switch (event.type) {
    case "status":
      return { ...answer, status: { text: event.text, ...(event.code ? { code: event.code } : {}) } };
    case "token":
      return { ...withoutStatus(answer), parts: addWords(answer.parts, event.text, event.id) };
    case "tool_call":
      return { ...withoutStatus(answer), parts: addCall(answer.parts, event) };
    case "done":
      return { ...withoutStatus(answer), done: event };
    default:
      return "call_id" in event
        ? { ...answer, parts: changeCall(answer.parts, event.call_id, (call) => readCallEvent(call, event)) }
        : answer;
  }
}

function startAnswer(items: Item[], event: StoredEvent & { type: "run_started" }): void {
  changeQuestion(items, event.message_id, "taken");
  const answer: Answer = {
    kind: "answer",
    id: event.run_id,
    messageId: event.message_id,
    model: event.model,
    at: event.at,
    parts: [],
  };
  // Waiting questions stay below the running answer.
  const after = items.findIndex((item) => item.kind === "question" && item.id === event.message_id);
  items.splice(after === -1 ? items.length : after + 1, 0, answer);
}

function changeAnswer(items: Item[], event: StoredEvent, change: (answer: Answer) => Answer): void {
  const index = items.findLastIndex((item) => item.kind === "answer" && item.id === event.run_id);
  const answer = items[index];
  if (answer?.kind === "answer") items[index] = change(answer);
}

/** A steering question stays where it was asked, below the answer it changes. */
function changeQuestion(items: Item[], id: string, state: Question["state"]): void {
  const index = items.findIndex((item) => item.kind === "question" && item.id === id);
  const question = items[index];
  if (question?.kind === "question") items[index] = { ...question, state };
}

function removeQuestion(items: Item[], id: string): void {
  const index = items.findIndex((item) => item.kind === "question" && item.id === id);
  if (index !== -1) items.splice(index, 1);
}

function withoutStatus(answer: Answer): Answer {
  const quiet: { -readonly [Key in keyof Answer]: Answer[Key] } = { ...answer };
  delete quiet.status;
  return quiet;
}

function addWords(parts: readonly Part[], text: string, eventId: number): Part[] {
  const last = parts.at(-1);
  if (last?.kind !== "words") return [...parts, { kind: "words", id: `w${eventId}`, text: text.trimStart() }];
  return [...parts.slice(0, -1), { ...last, text: last.text + text }];
}
