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

  add(programId: string, event: NetworkEvent): void {
    const entries = this.#entries.get(programId) ?? [];
    entries.push({ at: new Date().toISOString(), event });
    if (entries.length > maxEntries) entries.shift();
    this.#entries.set(programId, entries);
  }

  /** The newest first. */
  read(programId: string, limit: number): readonly RecentEntry[] {
    return (this.#entries.get(programId) ?? []).slice(-limit).toReversed();
  }

  forget(programId: string): void {
    this.#entries.delete(programId);
  }
}
