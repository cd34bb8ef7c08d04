import type { AtollClient, ThreadStatus } from "@atoll/client";
import { useEffect, useSyncExternalStore } from "react";
import { useClient } from "../../app/client.tsx";

const EVERY_MS = 5000;
const CLOSE_EVERY_MS = 1500;

/** Polls the state of a thread's sandbox while the page is visible, once for all components that show it. */
class StatusWatch {
  readonly #client: AtollClient;
  readonly #threadId: string;
  readonly #listeners = new Set<() => void>();
  #status: ThreadStatus | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #looks = 0;
  #closeLookers = 0;

  constructor(client: AtollClient, threadId: string) {
    this.#client = client;
    this.#threadId = threadId;
  }

  readonly current = (): ThreadStatus | undefined => this.#status;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.look();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) clearTimeout(this.#timer);
    };
  };

  /** Polls more often, for the meters. */
  lookClosely(): () => void {
    this.#closeLookers += 1;
    this.look();
    return () => {
      this.#closeLookers -= 1;
    };
  }

  look(): void {
    clearTimeout(this.#timer);
    if (this.#listeners.size > 0) void this.#look();
  }

  /** Takes over a status that another request returned. */
  take(status: ThreadStatus): void {
    this.#looks += 1;
    this.#status = status;
    for (const listener of this.#listeners) listener();
  }

  async #look(): Promise<void> {
    const number = ++this.#looks;
    if (document.visibilityState === "visible") {
      const found = await this.#client.threads.status(this.#threadId).catch(() => undefined);
      // A newer status arrived in the meantime.
      if (number !== this.#looks) return this.#again();
      if (found) this.take(found);
    }
    this.#again();
  }

  #again(): void {
    clearTimeout(this.#timer);
    if (this.#listeners.size === 0) return;
    this.#timer = setTimeout(() => void this.#look(), this.#closeLookers > 0 ? CLOSE_EVERY_MS : EVERY_MS);
  }
}

const watches = new Map<string, StatusWatch>();

export function useStatus(threadId: string, { isClose = false } = {}): ThreadStatus | undefined {
  const watch = watchOf(useClient(), threadId);
  useEffect(() => (isClose ? watch.lookClosely() : undefined), [watch, isClose]);
  return useSyncExternalStore(watch.subscribe, watch.current);
}

/** Polls at once, after something that may have changed the state. */
export function refreshStatus(threadId: string): void {
  watches.get(threadId)?.look();
}

export function takeStatus(status: ThreadStatus): void {
  watches.get(status.thread_id)?.take(status);
}

function watchOf(client: AtollClient, threadId: string): StatusWatch {
  const known = watches.get(threadId) ?? new StatusWatch(client, threadId);
  watches.set(threadId, known);
  return known;
}
