import type { OwnedThread } from "./owned-threads.ts";
import type { PlacedChange } from "./log-replica.ts";
import type { Postgres } from "./postgres.ts";
import { messageSteps } from "./write-changes.ts";

/**
 * Rolls back a batch that was not acknowledged. The raised token refuses it if it is still on its way; if it has been
 * stored, its events are deleted, since no client has seen them. Returns the threads that another server owns by now.
 */
export async function rollBack(
  database: Postgres,
  serverId: string,
  doubtful: readonly PlacedChange[],
): Promise<readonly OwnedThread[]> {
  const keys = doubtful.map(({ thread }) => thread.key);
  const tokens = await database.transactOnce(async (query) => {
    // By the owner, not by the token: the statement that was not acknowledged may be this one.
    const owned = await query<{ key: number; owner_token: number }>(
      `UPDATE threads SET owner_token = owner_token + 1 WHERE key = ANY ($1::bigint[]) AND owner = $2
       RETURNING key, owner_token`,
      [keys, serverId],
    );
    await query(
      `WITH gone AS (
         DELETE FROM events
         USING unnest($1::bigint[], $2::bigint[]) AS known (key, last_id), threads
         WHERE thread_key = known.key AND events.id > known.last_id AND threads.key = known.key AND owner = $3
         RETURNING thread_key, type
       ), counts AS (
         SELECT thread_key, count(*) FILTER (WHERE type = $4) - count(*) FILTER (WHERE type = $5) AS messages
         FROM gone GROUP BY thread_key
       )
       UPDATE threads SET message_count = message_count - messages FROM counts WHERE key = thread_key`,
      [keys, doubtful.map(({ change }) => change.lastIdBefore), serverId, ...countedTypes],
    );
    return new Map(owned.map(({ key, owner_token: token }) => [key, token]));
  });
  for (const { thread } of doubtful) {
    thread.token = tokens.get(thread.key) ?? thread.token;
    thread.isInDoubt = false;
  }
  return doubtful.map(({ thread }) => thread).filter(({ key }) => !tokens.has(key));
}

const countedTypes = [1, -1].map(
  (step) => Object.keys(messageSteps).find((type) => messageSteps[type] === step) ?? "",
);
