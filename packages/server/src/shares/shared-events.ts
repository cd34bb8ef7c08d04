import type { StoredEvent } from "@atoll/protocol";

/** What a reader of a link is shown of a conversation. Everything else is the thread's own business. */
const shownTypes = new Set<StoredEvent["type"]>([
  "message",
  "run_started",
  "steered",
  "status",
  "token",
  "tool_call",
  "output",
  "result",
  "artifact",
  "code_run",
  "tool_result",
  "sandbox",
  "error",
  "done",
]);

/** Of which events it depends what else is shown. */
export const endTypes = ["run_started", "steered", "done"] as const;

/** Which events a link shows: the conversation up to its last answer that has ended. `ends` are those of `endTypes`. */
export function chooseShared(ends: readonly StoredEvent[]): (event: StoredEvent) => boolean {
  const ended = new Set(ends.flatMap((event) => (event.type === "done" ? [event.run_id] : [])));
  const isOfEnded = ({ run_id: runId }: StoredEvent) => runId === undefined || ended.has(runId);
  const begun = new Set(
    ends.flatMap((event) =>
      (event.type === "run_started" || event.type === "steered") && isOfEnded(event)
        ? [event.message_id]
        : [],
    ),
  );
  return (event) =>
    shownTypes.has(event.type) &&
    isOfEnded(event) &&
    (event.type !== "message" || begun.has(event.message_id));
}

/**
 * The event under the name of the share: no address in it leads to the thread, and nothing in it can be asked for but
 * the images and files that it shows, whose `hashes` are noted.
 */
export function renameShared(event: StoredEvent, shareId: string, hashes: Set<string>): StoredEvent {
  const move = (url: string) => {
    const hash = url.slice(url.lastIndexOf("/") + 1);
    hashes.add(hash);
    return `/shared/${shareId}/blobs/${hash}`;
  };
  const renamed = { ...event, thread_id: shareId };
  if (renamed.type === "artifact" && renamed.url !== undefined) return { ...renamed, url: move(renamed.url) };
  if (renamed.type !== "result") return renamed;
  const { image, table, ...rest } = renamed;
  const { table_id: _, ...shownTable } = table ?? {};
  return {
    ...rest,
    ...(table ? { table: shownTable as typeof table } : {}),
    ...(image ? { image: { ...image, url: move(image.url) } } : {}),
  };
}
