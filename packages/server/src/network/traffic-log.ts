import type { Traffic } from "@atoll/sandbox";
import type { ThreadEvent } from "@atoll/protocol";

export type NetworkEvent = Extract<ThreadEvent, { type: "network" }>;

export interface TrafficLogOptions {
  write(threadId: string, event: NetworkEvent): void;
  /** Repeats are told together after this time. It doubles while there is much to tell. */
  readonly foldMs?: number;
  /** Told one by one in that time; of more, one entry says how many. */
  readonly maxEntries?: number;
}

const longestFoldMs = 60_000;

/**
 * Turns what proxies tell into entries of a thread's log. The first of a kind is told at once; those that are the same
 * but for their size are counted and told together, so that no program in a sandbox can flood a log.
 */
export class TrafficLog {
  readonly #options: Required<TrafficLogOptions>;
  readonly #windows = new Map<string, Window>();

  constructor(options: TrafficLogOptions) {
    this.#options = { foldMs: 1000, maxEntries: 20, ...options };
  }

  note(threadId: string, traffic: Traffic): void {
    const entry = toEntry(traffic);
    const window = this.#windows.get(threadId) ?? this.#open(threadId, this.#options.foldMs);
    const isKnown = window.told.has(kindOf(entry));
    if (!isKnown && window.told.size < this.#options.maxEntries) {
      window.told.add(kindOf(entry));
      return this.#options.write(threadId, entry);
    }
    const held = isKnown ? entry : asOther(entry);
    const before = window.held.get(kindOf(held));
    window.held.set(kindOf(held), before ? join(before, held) : held);
  }

  /** Tells what is held back. */
  flush(threadId?: string): void {
    for (const id of threadId === undefined ? [...this.#windows.keys()] : [threadId]) this.#close(id);
  }

  #open(threadId: string, foldMs: number): Window {
    const timer = setTimeout(() => {
      const isBusy = this.#close(threadId);
      // Whoever goes on like this is told of more and more rarely.
      if (isBusy) this.#open(threadId, Math.min(foldMs * 2, longestFoldMs));
    }, foldMs);
    timer.unref();
    const window: Window = { timer, told: new Set(), held: new Map() };
    this.#windows.set(threadId, window);
    return window;
  }

  /** Whether there was more than had been told already. */
  #close(threadId: string): boolean {
    const window = this.#windows.get(threadId);
    if (!window) return false;
    clearTimeout(window.timer);
    this.#windows.delete(threadId);
    for (const entry of window.held.values()) this.#options.write(threadId, entry);
    return window.held.size > 0;
  }
}

interface Window {
  readonly timer: NodeJS.Timeout;
  /** Kinds that have been told in this window. */
  readonly told: Set<string>;
  /** By kind, counted. */
  readonly held: Map<string, NetworkEvent>;
}

const maxHostChars = 253;
const maxReasonChars = 300;

function toEntry(traffic: Traffic): NetworkEvent {
  const { at, method, host, port, outcome, reason, sentBytes, receivedBytes, durationMs } = traffic;
  return {
    type: "network",
    started_at: at,
    method: method.slice(0, 20),
    host: host.slice(0, maxHostChars).toWellFormed(),
    port: Number.isSafeInteger(port) ? port : 0,
    outcome,
    ...(reason === undefined ? {} : { reason: reason.slice(0, maxReasonChars).toWellFormed() }),
    count: 1,
    sent_bytes: sentBytes,
    received_bytes: receivedBytes,
    duration_ms: Math.round(durationMs),
  };
}

function kindOf({ method, host, port, outcome, reason }: NetworkEvent): string {
  return JSON.stringify([method, host, port, outcome, reason]);
}

/** For what is not told one by one: only how it ended is kept apart. */
function asOther(told: NetworkEvent): NetworkEvent {
  const { reason: _, ...entry } = told;
  return { ...entry, method: "(any)", host: "(others)", port: 0 };
}

/** Of one kind. */
function join(one: NetworkEvent, next: NetworkEvent): NetworkEvent {
  return {
    ...one,
    count: one.count + next.count,
    sent_bytes: one.sent_bytes + next.sent_bytes,
    received_bytes: one.received_bytes + next.received_bytes,
    duration_ms: one.duration_ms + next.duration_ms,
  };
}
