import { LRUCache } from "lru-cache";
import type { LeaseKey, ServerRecord } from "./contract.ts";
import { ElsewhereError } from "./elsewhere-error.ts";
import type { Leases } from "./leases.ts";

/** Which server owns a thread or sandbox. */
export type Location =
  | { readonly kind: "here" }
  | { readonly kind: "elsewhere"; readonly server: ServerRecord }
  /** No server owns it, and this one must not take it for a request that was forwarded. */
  | { readonly kind: "nowhere" };

interface Remembered {
  readonly server: ServerRecord;
  readonly atMs: number;
}

const REMEMBER_MS = 5000;
const MAX_REMEMBERED = 10_000;

/** Finds the owner of the thread or sandbox that a request is for. What no server owns is taken over by asking. */
export class Directory {
  readonly #leases: Leases;
  readonly #isRedisThere: () => boolean;
  readonly #remembered = new LRUCache<LeaseKey, Remembered>({ max: MAX_REMEMBERED });
  readonly #gone = new Map<string, AbortController>();

  constructor(leases: Leases, isRedisThere: () => boolean) {
    this.#leases = leases;
    this.#isRedisThere = isRedisThere;
  }

  async find(key: LeaseKey, options: { isForwarded?: boolean } = {}): Promise<Location> {
    const remembered = this.#recall(key);
    if (remembered && !options.isForwarded) return { kind: "elsewhere", server: remembered };
    try {
      await this.#leases.acquire(key, options);
      this.#remembered.delete(key);
      return { kind: "here" };
    } catch (error) {
      if (!(error instanceof ElsewhereError)) throw error;
      if (!error.server) return { kind: "nowhere" };
      this.#remembered.set(key, { server: error.server, atMs: Date.now() });
      return { kind: "elsewhere", server: error.server };
    }
  }

  use(key: LeaseKey): () => void {
    return this.#leases.use(key);
  }

  /** Call it when the server did not own it. */
  forget(key: LeaseKey): void {
    this.#remembered.delete(key);
  }

  /** Aborts when the server is known to be dead, so that waiting for its answer is pointless. */
  whenGone(serverId: string): AbortSignal {
    let controller = this.#gone.get(serverId);
    if (!controller) this.#gone.set(serverId, (controller = new AbortController()));
    return controller.signal;
  }

  noteGone(serverIds: readonly string[]): void {
    for (const id of serverIds) {
      this.#gone.get(id)?.abort();
      this.#gone.delete(id);
    }
    for (const [key, { server }] of this.#remembered)
      if (serverIds.includes(server.id)) this.#remembered.delete(key);
  }

  /** Without Redis the last known owner is the best guess; the server asked there corrects it. */
  #recall(key: LeaseKey): ServerRecord | undefined {
    const known = this.#remembered.get(key);
    if (!known || this.#leases.has(key)) return undefined;
    return Date.now() - known.atMs < REMEMBER_MS || !this.#isRedisThere() ? known.server : undefined;
  }
}
