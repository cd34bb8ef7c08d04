import { AtollError } from "@atoll/sandbox";
import type { OwnedThreads } from "./owned-threads.ts";
import type { Postgres } from "./postgres.ts";

/** What happens when a thread turns out to belong to another server, or to be gone. */
export class OwnershipErrors {
  readonly serverId: string;
  readonly #database: Postgres;
  readonly #owned: OwnedThreads;
  readonly #onLost: (threadId: string) => void;

  constructor(parts: {
    serverId: string;
    database: Postgres;
    owned: OwnedThreads;
    onLost(threadId: string): void;
  }) {
    this.serverId = parts.serverId;
    this.#database = parts.database;
    this.#owned = parts.owned;
    this.#onLost = parts.onLost;
  }

  /** Drops the thread here and returns the error for the caller that wanted to change it. */
  async declareLost(threadId: string): Promise<AtollError> {
    if (this.#owned.drop(threadId)) this.#onLost(threadId);
    return this.explain(threadId);
  }

  /** Why this server does not own the thread. */
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
  return new AtollError("not_owner", "Another server has taken over this thread.");
}
