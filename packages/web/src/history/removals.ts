import type { AtollClient } from "@atoll/client";
import { useSyncExternalStore } from "react";

const UNDO_MS = 7000;

/** Threads that are about to be deleted: hidden at once, gone when the time to undo it is over. */
const pending = new Map<string, { timer: ReturnType<typeof setTimeout>; finish(): void }>();
const listeners = new Set<() => void>();
let hidden: ReadonlySet<string> = new Set();

/** The returned function undoes it. */
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

/** Whoever leaves the page does not take it back any more. */
addEventListener("pagehide", () => {
  for (const { timer, finish } of pending.values()) {
    clearTimeout(timer);
    finish();
  }
});
