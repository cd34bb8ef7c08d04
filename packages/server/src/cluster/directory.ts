import { LRUCache } from "lru-cache";
import type { LeaseKey, ServerRecord } from "./contract.ts";
import { ElsewhereError } from "./elsewhere-error.ts";
import type { Holdings } from "./leases.ts";

export type Place =
  | { readonly kind: "here" }
  | { readonly kind: "elsewhere"; readonly server: ServerRecord }
  /** Nobody has it, and this server must not take it for a request that was passed on. */
  | { readonly kind: "nowhere" };

interface Remembered {
  readonly server: ServerRecord;
  readonly atMs: number;
}

const goodForMs = 5000;
const maxRemembered = 10_000;

/** Where the thread or sandbox is that a request is for. What nobody has is taken over by asking. */
export class Directory {
  readonly #holdings: Holdings;
  readonly #isRedisThere: () => boolean;
  readonly #remembered = new LRUCache<LeaseKey, Remembered>({ max: maxRemembered });
  readonly #gone = new Map<string, AbortController>();

  constructor(holdings: Holdings, isRedisThere: () => boolean) {
    this.#holdings = holdings;
    this.#isRedisThere = isRedisThere;
  }

  async find(key: LeaseKey, options: { isForwarded?: boolean } = {}): Promise<Place> {
    const remembered = this.#recall(key);
    if (remembered && !options.isForwarded) return { kind: "elsewhere", server: remembered };
    try {
      await this.#holdings.hold(key, options);
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
    return this.#holdings.use(key);
  }

  /** It was not there. */
  forget(key: LeaseKey): void {
    this.#remembered.delete(key);
  }

  /** Aborts when the server is known to be dead: whoever waits for its answer waits in vain. */
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

  /** Without Redis what was true last is the best that is known; the server asked there knows better. */
  #recall(key: LeaseKey): ServerRecord | undefined {
    const known = this.#remembered.get(key);
    if (!known || this.#holdings.has(key)) return undefined;
    return Date.now() - known.atMs < goodForMs || !this.#isRedisThere() ? known.server : undefined;
  }
}
