import { randomBytes } from "node:crypto";
import { describeRestore } from "@atoll/agent";
import type { BranchResult } from "@atoll/lifecycle";
import type { StoredEvent } from "@atoll/protocol";
import type { ThreadRecord } from "../../store/contract.ts";
import { copyEvents, findHashes } from "./branch-events.ts";
import { type BranchLog, type BranchState, cutLog } from "./branch-log.ts";
import type { BranchedThread, BranchOptions } from "../contract.ts";
import { nameDatasets } from "../datasets.ts";
import type { RunnerContext } from "../options.ts";
import { toSandboxEvent } from "../restore-notices.ts";

/**
 * Makes a thread out of earlier turns of another. The row is written last, before the log only: whatever is cut off
 * earlier belongs to no thread, and is swept. `checkSource` throws when the source is being removed.
 */
export async function branchThread(
  context: RunnerContext,
  source: ThreadRecord,
  options: BranchOptions,
  checkSource: () => void,
): Promise<BranchedThread> {
  const { store } = context;
  const { messageId, isBefore = false } = options;
  const cut = cutLog(store.log, source.id, { messageId, isBefore });
  const { id: newId, ...isTemporary } = context.branchId?.(source) ?? {
    id: randomBytes(12).toString("hex"),
  };
  const files = (await store.uploads.ofThread(source.id)).filter(({ createdAt }) => createdAt <= cut.endedAt);
  try {
    const found = await branchSandbox(context, source, newId, cut, files);
    for (const hash of findHashes(cut.events)) await store.blobs.share(source.id, hash, newId);
    checkSource();
    await store.threads.create({
      id: newId,
      settings: source.settings,
      fileIds: files.map(({ fileId }) => fileId),
      parent: { threadId: source.id, messageId },
      ...isTemporary,
      ...nameBranch(source.title, options.title),
    });
    const events = copyEvents(cut.events, newId);
    const first = { event: toSandboxEvent(found, describeBranch(found)) };
    await store.log.append(newId, [...events, first], { isDurable: true });
    await store.log.settle(newId);
    await index(context, newId, cut.events);
    return { threadId: newId, ...found };
  } catch (error) {
    await undo(context, newId);
    throw error;
  }
}

/** From the nearest checkpoint that is left. Without any, the branch has no state. */
async function branchSandbox(
  context: RunnerContext,
  { id: sourceId }: ThreadRecord,
  newId: string,
  cut: BranchLog,
  files: Parameters<typeof nameDatasets>[0],
): Promise<Omit<BranchedThread, "threadId">> {
  const { store, sandboxes, sandboxLimits, bundledDataset } = context;
  const limits = await sandboxLimits?.(sourceId);
  const datasets = await nameDatasets(files, store.uploads, bundledDataset);
  const turnIds = cut.states.map(({ turnId }) => turnId);
  const known = (await sandboxes.checkpoints(sourceId)).map(({ turnId }) => turnId);
  if (!turnIds.some((turnId) => known.includes(turnId)))
    return { isExact: !cut.hasCalls, restored: [], lost: [], missingFiles: [] };
  const back = await sandboxes.branch(sourceId, turnIds, newId, {
    datasets,
    limits,
  });
  const state = cut.states.find(({ turnId }) => turnId === back.turnId);
  return {
    isExact: isExact(back, state),
    restored: back.restored ?? [],
    lost: back.lost,
    missingFiles: back.missingFiles.map(({ root, path, reason }) => ({
      path: `${back.sandbox.info.paths[root]}/${path}`.toWellFormed(),
      reason,
    })),
    stateOf: {
      messageId: state?.messageId ?? "",
      isBefore: state?.isBefore ?? false,
      takenAt: back.takenAt,
    },
  };
}

/** For the search. */
async function index(
  context: RunnerContext,
  threadId: string,
  events: readonly StoredEvent[],
): Promise<void> {
  const { store, reportFault } = context;
  try {
    for (const event of events) {
      if (event.type === "message") await store.threads.indexText(threadId, event.text);
      if (event.type === "done") await store.threads.indexText(threadId, event.response);
    }
  } catch (error) {
    reportFault({ message: "a branch could not be added to the search", threadId, error });
  }
}

async function undo(context: RunnerContext, threadId: string): Promise<void> {
  const { store, sandboxes, reportFault } = context;
  const parts = [
    () => sandboxes.remove(threadId),
    () => store.blobs.removeThread(threadId),
    () => store.threads.remove(threadId),
  ];
  for (const part of parts) {
    await part().catch((error: unknown) =>
      reportFault({ message: "a branch that failed could not be removed", threadId, error }),
    );
  }
}

function isExact({ isExact, lost, missingFiles }: BranchResult, state: BranchState | undefined): boolean {
  return isExact && (state?.isSame ?? false) && lost.length === 0 && missingFiles.length === 0;
}

function nameBranch(title: string | null, given: string | undefined): { title?: string } {
  if (given !== undefined) return { title: given };
  if (title === null) return {};
  const suffix = " (branch)";
  const stem = title.endsWith(suffix) ? title.slice(0, -suffix.length) : title;
  return { title: stem.slice(0, MAX_TITLE_CHARS - suffix.length) + suffix };
}

const MAX_TITLE_CHARS = 200;

/** For the user, in the branch's log. */
function describeBranch({
  stateOf,
  isExact,
  missingFiles,
  ...restore
}: Omit<BranchedThread, "threadId">): string {
  const origin = "This thread is a branch of another.";
  if (isExact)
    return `${origin} ${stateOf ? "Its files and variables are as they were then." : "Nothing had been run then."}`;
  if (!stateOf)
    return `${origin} No files or variables of that turn are left: it starts with the data alone.`;
  const missing = missingFiles.length > 0 ? ` ${missingFiles.length} files could not be restored.` : "";
  return `${origin} Its state is of ${stateOf.takenAt}. ${describeRestore(restore)}${missing}`;
}
