import type { AtollClient } from "@atoll/client";
import { useSyncExternalStore } from "react";

const UNDO_MS = 7000;

/** Threads that are hidden already and will be deleted when the time to undo is over. */
const pending = new Map<string, { timer: ReturnType<typeof setTimeout>; finish(): void }>();
const listeners = new Set<() => void>();
let hidden: ReadonlySet<string> = new Set();

/** Hides a thread at once and deletes it a little later. The returned function undoes it. */
export function removeThread(
  client: AtollClient,
  threadId: string,
  onFailure: (error: unknown) => void,
): () => void {
  const finish = () => {
    pending.delete(threadId);
    client.threads.remove(threadId, { keepalive: true }).catch((error: unknown) => {
      show(threadId);
      onFailure(error);
    });
  };
  pending.set(threadId, { timer: setTimeout(finish, UNDO_MS), finish });
  hidden = new Set([...hidden, threadId]);
  tell();
  return () => {
    clearTimeout(pending.get(threadId)?.timer);
    pending.delete(threadId);
    show(threadId);
  };
}

export function useHiddenThreads(): ReadonlySet<string> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => hidden,
  );
}

function show(threadId: string): void {
  hidden = new Set([...hidden].filter((id) => id !== threadId));
  tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}

/** Leaving the page ends the time to undo. */
addEventListener("pagehide", () => {
  for (const { timer, finish } of pending.values()) {
    clearTimeout(timer);
    finish();
  }
});
