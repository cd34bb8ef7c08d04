import type { z } from "zod";
import type { historySchema, StoredEvent } from "@atoll/protocol";
import type { ThreadLog } from "../../store/contract.ts";
import { collect, readInParts } from "../../store/log/read-in-parts.ts";
import { type Result, toResults } from "../messages/results-view.ts";

export type HistoryMessage = z.infer<typeof historySchema>["messages"][number];

interface Run {
  readonly runId: string;
  readonly messageId: string;
  readonly at: string;
  readonly model: string;
  text: string;
  codeRuns: NonNullable<HistoryMessage["code_runs"]>;
  readonly results: Result[];
  status: NonNullable<HistoryMessage["status"]>;
  error?: NonNullable<HistoryMessage["error"]>;
  /** The question, and what was added while it ran. */
  readonly questions: string[];
}

/** The history of runs that have ended is made of these; of one under way, also of what it said and ran so far. */
const endedTypes = [
  "message",
  "message_removed",
  "run_started",
  "steered",
  "result",
  "artifact",
  "error",
  "done",
] as const;
const openTypes = ["token", "code_run"] as const;

/** Reads no more than it needs: the tokens of answers that are complete stay where they are. */
export async function findHistory(
  log: Pick<ThreadLog, "read">,
  threadId: string,
  openRunId: string | undefined,
): Promise<HistoryMessage[]> {
  const ended = await collect(readInParts(log, threadId, { types: endedTypes }));
  if (openRunId === undefined) return readHistory(ended);
  const open = await collect(readInParts(log, threadId, { types: openTypes, runId: openRunId }));
  return readHistory([...ended, ...open].toSorted((a, b) => a.id - b.id));
}

/** A conversation as a reading of the log: each answer stands behind the last message that went into it. */
export function readHistory(events: readonly StoredEvent[]): HistoryMessage[] {
  const questions = new Map<string, HistoryMessage>();
  const runs = new Map<string, Run>();
  for (const event of events) note(event, questions, runs);
  const answers = new Map<string, Run[]>();
  for (const run of runs.values()) {
    for (const id of run.questions) {
      const question = questions.get(id);
      if (question) Object.assign(question, { run_id: run.runId, is_queued: undefined });
    }
    const last = run.questions.findLast((id) => questions.has(id)) ?? run.messageId;
    answers.set(last, [...(answers.get(last) ?? []), run]);
  }
  return [...questions].flatMap(([id, question]) => [
    clean(question),
    ...(answers.get(id) ?? []).map(toAnswer),
  ]);
}

function note(event: StoredEvent, questions: Map<string, HistoryMessage>, runs: Map<string, Run>): void {
  const run = event.run_id === undefined ? undefined : runs.get(event.run_id);
  switch (event.type) {
    case "message":
      questions.set(event.message_id, {
        role: "user",
        content: event.text,
        message_id: event.message_id,
        at: event.at,
        is_queued: true,
        ...(event.kind ? { kind: event.kind, language: event.language ?? "python" } : {}),
      });
      break;
    case "message_removed":
      questions.delete(event.message_id);
      break;
    case "run_started": {
      const { run_id: runId, message_id: messageId, model, at } = event;
      runs.set(runId, {
        runId,
        messageId,
        model,
        at,
        text: "",
        codeRuns: [],
        results: [],
        status: "running",
        questions: [messageId],
      });
      break;
    }
    case "token":
      if (run) run.text += event.text;
      break;
    case "code_run": {
      const { type: _, id: __, thread_id: ___, run_id: ____, at: _____, ...codeRun } = event;
      run?.codeRuns.push(codeRun);
      break;
    }
    case "result":
    case "artifact":
      run?.results.push(...toResults(event));
      break;
    case "steered":
      run?.questions.push(event.message_id);
      break;
    case "error":
      if (run) run.error = { code: event.code, message: event.message, hint: event.hint };
      break;
    case "done":
      if (run) Object.assign(run, { status: event.status, text: event.response, codeRuns: event.code_runs });
      break;
    default:
  }
}

function toAnswer(run: Run): HistoryMessage {
  return {
    role: "assistant",
    content: run.text,
    message_id: run.messageId,
    at: run.at,
    run_id: run.runId,
    status: run.status,
    model: run.model,
    code_runs: run.codeRuns,
    results: run.results,
    error: run.error,
  };
}

function clean({ is_queued: isQueued, ...message }: HistoryMessage): HistoryMessage {
  return isQueued ? { ...message, status: "queued", is_queued: true } : message;
}
