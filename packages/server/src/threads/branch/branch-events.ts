import type { StoredEvent, ThreadEvent } from "@atoll/protocol";
import type { NewEvent } from "../../store/contract.ts";

/** For a branch's own log. Pieces of text that follow each other become one; addresses of copies are the branch's. */
export function copyEvents(events: readonly StoredEvent[], threadId: string): readonly NewEvent[] {
  return joinPieces(events).map((stored) => {
    const { id: _, at, thread_id: from, run_id: runId, ...own } = stored;
    const isOfRun = stored.type === "done" || stored.type === "run_started";
    const ids = {
      ...(isOfRun ? { run_id: runId } : {}),
      ...(stored.type === "done" ? { thread_id: threadId } : {}),
    };
    const event = moveAddresses({ ...own, ...ids } as ThreadEvent, { from, to: threadId });
    return { event, at, runId };
  });
}

/** Of the images and files that these events show. */
export function findHashes(events: readonly StoredEvent[]): readonly string[] {
  const urls = events.flatMap((event) => {
    if (event.type === "artifact") return event.url ?? [];
    return event.type === "result" ? (event.image?.url ?? []) : [];
  });
  return [...new Set(urls.map((url) => url.slice(url.lastIndexOf("/") + 1)))];
}

function joinPieces(events: readonly StoredEvent[]): readonly StoredEvent[] {
  const joined: StoredEvent[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    const both = last && join(last, event);
    if (both) joined[joined.length - 1] = both;
    else joined.push(event);
  }
  return joined;
}

/** Undefined where the second does not go on with the first. */
function join(one: StoredEvent, next: StoredEvent): StoredEvent | undefined {
  if (one.run_id !== next.run_id) return undefined;
  if (one.type === "token" && next.type === "token") return { ...one, text: one.text + next.text };
  if (one.type !== "output" || next.type !== "output") return undefined;
  const isSame = one.call_id === next.call_id && one.stream === next.stream;
  return isSame ? { ...one, text: one.text + next.text } : undefined;
}

function moveAddresses(event: ThreadEvent, { from, to }: { from: string; to: string }): ThreadEvent {
  const move = (url: string) => url.replace(`/thread/${from}/blobs/`, `/thread/${to}/blobs/`);
  if (event.type === "artifact" && event.url !== undefined) return { ...event, url: move(event.url) };
  if (event.type === "result" && event.image)
    return { ...event, image: { ...event.image, url: move(event.image.url) } };
  return event;
}
