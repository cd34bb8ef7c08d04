import { AtollError } from "@atoll/sandbox";
import type { Ownership } from "../store/contract.ts";
import type { Holdings } from "./leases.ts";
import type { LeaseTable } from "./lease-table.ts";

export interface TakeoverOptions {
  readonly table: LeaseTable;
  readonly holdings: Holdings;
  readonly ownership: Pick<Ownership, "unsettledOwners" | "unsettledOf">;
  /** Joins living sandboxes of this machine that nobody has. */
  adopt(): Promise<void>;
  onProblem(error: unknown): void;
}

const atOnce = 8;

/**
 * Goes on with what servers that are gone have left: threads with a run or a message open, then sandboxes that still live.
 * Every server tries; the lease decides who gets which.
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

  /** `dead`: to be forgotten when everything of theirs is in other hands. `isAdopting`: there may be sandboxes too. */
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
        for (const id of dead) await this.#bury(id);
      } catch (error) {
        // The next beat finds the same dead.
        this.#options.onProblem(error);
      }
    }
  }

  async #takeThreads(): Promise<void> {
    const { ownership, holdings } = this.#options;
    for (const owner of await ownership.unsettledOwners()) {
      const threadIds = (await ownership.unsettledOf(owner)).filter((id) => !holdings.has(`thread:${id}`));
      // In another order on each server, so that each gets its share.
      const waiting = shuffle(threadIds);
      const work = async () => {
        for (let id = waiting.pop(); id !== undefined && !this.#isClosed; id = waiting.pop())
          await this.#take(id);
      };
      await Promise.all(Array.from({ length: atOnce }, work));
    }
  }

  async #take(threadId: string): Promise<void> {
    try {
      await this.#options.holdings.hold(`thread:${threadId}`);
    } catch (error) {
      if (!(error instanceof AtollError && error.code === "not_owner")) throw error;
    }
  }

  async #bury(serverId: string): Promise<void> {
    await this.#options.table.bury(serverId);
    this.#dead.delete(serverId);
  }
}

function shuffle<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
