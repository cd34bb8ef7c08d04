import { LRUCache } from "lru-cache";
import type { NetworkEvent } from "./traffic-log.ts";

export interface RecentEntry {
  readonly at: string;
  readonly event: NetworkEvent;
}

const maxEntries = 200;
const maxOwners = 1000;

/** The latest traffic of programs' sandboxes, which have no log. Gone with the server. */
export class RecentTraffic {
  readonly #entries = new LRUCache<string, RecentEntry[]>({ max: maxOwners });

  add(sandboxId: string, event: NetworkEvent): void {
    const entries = this.#entries.get(sandboxId) ?? [];
    entries.push({ at: new Date().toISOString(), event });
    if (entries.length > maxEntries) entries.shift();
    this.#entries.set(sandboxId, entries);
  }

  /** The newest first. */
  read(sandboxId: string, limit: number): readonly RecentEntry[] {
    return (this.#entries.get(sandboxId) ?? []).slice(-limit).toReversed();
  }

  forget(sandboxId: string): void {
    this.#entries.delete(sandboxId);
  }
}
