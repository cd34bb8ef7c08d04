import type { StoredEvent } from "@atoll/protocol";
import { AtollError } from "@atoll/sandbox";
import type { ThreadLog } from "../../store/contract.ts";
import { beforeRun } from "../checkpoints.ts";

/** The part of a thread's log with which a branch begins. */
export interface BranchLog {
  readonly events: readonly StoredEvent[];
  /** When that part ends. */
  readonly endedAt: string;
  /** The checkpoints that may hold the state at its end, the best first. */
  readonly states: readonly BranchState[];
  /** What runs in it were asked to do: without any, even an empty sandbox is in the right state. */
  readonly hasCalls: boolean;
}

export interface BranchState {
  readonly turnId: string;
  /** The message of the turn that it is from. */
  readonly messageId: string;
  readonly isBefore: boolean;
  /** Nothing was run between it and the end of the part: it is the state that was asked for. */
  readonly isSame: boolean;
}

/** The log up to the end of the turn that answers this message; `isBefore`: up to where that turn begins. */
export function cutLog(
  log: Pick<ThreadLog, "read">,
  threadId: string,
  { messageId, isBefore }: { messageId: string; isBefore: boolean },
): BranchLog {
  const all = log.read(threadId);
  const runs = findRuns(all);
  const message = all.find((event) => event.type === "message" && event.message_id === messageId);
  const isRemoved = all.some((event) => event.type === "message_removed" && event.message_id === messageId);
  if (!message || isRemoved)
    throw new AtollError("not_found", `There is no message ${messageId} in this thread.`);
  const run = runs.find(({ messageIds }) => messageIds.includes(messageId));
  const endId = isBefore ? (run ? run.startId - 1 : lastEnd(runs)) : run?.endId;
  if (endId === undefined) {
    throw new AtollError(
      "busy",
      'The answer to this message has not ended yet. Branch from an earlier message, or with "before": true.',
    );
  }
  const kept = runs.filter((each) => each.endId !== undefined && each.endId <= endId);
  const keptRuns = new Set(kept.map(({ runId }) => runId));
  const keptMessages = new Set(kept.flatMap(({ messageIds }) => messageIds));
  const events = all.filter(
    (event) => event.id <= endId && isKept(event, { runs: keptRuns, messages: keptMessages }),
  );
  return {
    events,
    endedAt: (isBefore ? run?.startedAt : run?.endedAt) ?? message.at,
    states: listStates(runs, kept, isBefore),
    hasCalls: kept.some(({ hasCalls }) => hasCalls),
  };
}

interface LoggedRun {
  readonly runId: string;
  readonly messageIds: string[];
  readonly startId: number;
  readonly startedAt: string;
  endId?: number;
  endedAt?: string;
  hasCalls: boolean;
}

function findRuns(events: readonly StoredEvent[]): readonly LoggedRun[] {
  const runs = new Map<string, LoggedRun>();
  for (const event of events) {
    if (event.type === "run_started") {
      const { run_id: runId, message_id: messageId, id: startId, at: startedAt } = event;
      runs.set(runId, { runId, messageIds: [messageId], startId, startedAt, hasCalls: false });
    }
    const run = event.run_id === undefined ? undefined : runs.get(event.run_id);
    if (event.type === "steered") run?.messageIds.push(event.message_id);
    if (run && (event.type === "tool_call" || event.type === "code_run")) run.hasCalls = true;
    if (run && event.type === "done") Object.assign(run, { endId: event.id, endedAt: event.at });
  }
  return [...runs.values()];
}

function lastEnd(runs: readonly LoggedRun[]): number {
  return Math.max(0, ...runs.map(({ endId = 0 }) => endId));
}

/** Messages that no kept run has begun with are not in it, nor are titles and traffic: a branch has its own. */
function isKept(
  event: StoredEvent,
  { runs, messages }: { runs: ReadonlySet<string>; messages: ReadonlySet<string> },
): boolean {
  if (event.type === "message") return messages.has(event.message_id);
  if (["message_removed", "title", "network"].includes(event.type)) return false;
  return event.run_id === undefined || runs.has(event.run_id);
}

/** What was done between two turns belongs to the state before the second, and not to the one after the first. */
function listStates(
  runs: readonly LoggedRun[],
  kept: readonly LoggedRun[],
  isBefore: boolean,
): readonly BranchState[] {
  const next = runs[kept.length];
  const states: BranchState[] = [];
  const add = (run: LoggedRun | undefined, state: Pick<BranchState, "isBefore" | "isSame">) => {
    if (!run) return;
    const turnId = state.isBefore ? beforeRun(run.runId) : run.runId;
    states.push({ turnId, messageId: run.messageIds[0] ?? "", ...state });
  };
  if (isBefore) add(next, { isBefore: true, isSame: true });
  let isSame = true;
  for (const [age, run] of kept.toReversed().entries()) {
    add(run, { isBefore: false, isSame });
    if (age === 0 && !isBefore) add(next, { isBefore: true, isSame: false });
    isSame &&= !run.hasCalls;
    add(run, { isBefore: true, isSame });
  }
  return states;
}
