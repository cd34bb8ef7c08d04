import { AtollError } from "@atoll/sandbox";
import type { HeldThreads } from "./owned-threads.ts";
import type { Postgres } from "./postgres.ts";

/** Tells who has to know that a thread is another server's, or gone. */
export class Losses {
  readonly serverId: string;
  readonly #database: Postgres;
  readonly #held: HeldThreads;
  readonly #onLost: (threadId: string) => void;

  constructor(parts: {
    serverId: string;
    database: Postgres;
    held: HeldThreads;
    onLost(threadId: string): void;
  }) {
    this.serverId = parts.serverId;
    this.#database = parts.database;
    this.#held = parts.held;
    this.#onLost = parts.onLost;
  }

  /** Lets go of the thread here, and gives the error for whoever wanted to change it. */
  async declare(threadId: string): Promise<AtollError> {
    if (this.#held.drop(threadId)) this.#onLost(threadId);
    return this.explain(threadId);
  }

  /** Why a thread is not here. */
  async explain(threadId: string): Promise<AtollError> {
    try {
      const rows = await this.#database.query("SELECT FROM threads WHERE id = $1 AND trashed_at IS NULL", [
        threadId,
      ]);
      return rows.length > 0 ? notOwner() : new AtollError("not_found", "There is no such thread.");
    } catch {
      return notOwner();
    }
  }
}

function notOwner(): AtollError {
  return new AtollError("not_owner", "Another server has taken this thread over.");
}
