import { AtollError } from "@atoll/sandbox";
import type { Ownership } from "../store/contract.ts";
import type { Leases } from "./leases.ts";
import type { LeaseTable } from "./lease-table.ts";

export interface TakeoverOptions {
  readonly table: LeaseTable;
  readonly leases: Leases;
  readonly ownership: Pick<Ownership, "unsettledOwners" | "unsettledOf">;
  /** Attaches to running sandboxes on this machine that no server owns. */
  adopt(): Promise<void>;
  onProblem(error: unknown): void;
}

const CONCURRENCY = 8;

/**
 * Takes over what dead servers left behind: threads with an open run or message, then sandboxes that still run. Every
 * server tries; the lease decides which one gets which.
 */
export class Takeover {
  readonly #options: TakeoverOptions;
  #running: Promise<void> | undefined;
  #isWanted = false;
  #isAdopting = false;
  readonly #dead = new Set<string>();
  #isClosed = false;

  constructor(options: TakeoverOptions) {
    this.#options = options;
  }

  /** `dead` servers are removed when other servers own all they had. `isAdopting`: there may be sandboxes too. */
  request({ dead = [], isAdopting = false }: { dead?: readonly string[]; isAdopting?: boolean } = {}): void {
    for (const id of dead) this.#dead.add(id);
    this.#isAdopting ||= isAdopting;
    this.#isWanted = true;
    this.#running ??= this.#work().finally(() => (this.#running = undefined));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #work(): Promise<void> {
    while (this.#isWanted && !this.#isClosed) {
      this.#isWanted = false;
      const dead = [...this.#dead];
      try {
        await this.#takeThreads();
        if (this.#isClosed) return;
        if (this.#isAdopting) await this.#options.adopt();
        this.#isAdopting = false;
        for (const id of dead) await this.#forget(id);
      } catch (error) {
        // The next heartbeat reports the same dead servers.
        this.#options.onProblem(error);
      }
    }
  }

  async #takeThreads(): Promise<void> {
    const { ownership, leases } = this.#options;
    for (const owner of await ownership.unsettledOwners()) {
      const threadIds = (await ownership.unsettledOf(owner)).filter((id) => !leases.has(`thread:${id}`));
      // Each server has its own order, so that each gets a share.
      const waiting = shuffle(threadIds);
      const work = async () => {
        for (let id = waiting.pop(); id !== undefined && !this.#isClosed; id = waiting.pop())
          await this.#take(id);
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, work));
    }
  }

  async #take(threadId: string): Promise<void> {
    try {
      await this.#options.leases.acquire(`thread:${threadId}`);
    } catch (error) {
      if (!(error instanceof AtollError && error.code === "not_owner")) throw error;
    }
  }

  async #forget(serverId: string): Promise<void> {
    await this.#options.table.forget(serverId);
    this.#dead.delete(serverId);
  }
}

function shuffle<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, rank: Math.random() }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}
