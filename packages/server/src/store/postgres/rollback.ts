import type { Holding } from "./owned-threads.ts";
import type { PlacedChange } from "./log-replica.ts";
import type { Postgres } from "./postgres.ts";
import { messageSteps } from "./write-changes.ts";

/**
 * Ends the doubt of what an unanswered batch has stored. A raised token keeps it out if it is still on its way; if it has
 * come through, its events go: nobody has been told of them. Gives the threads that are another's by now.
 */
export async function takeBack(
  database: Postgres,
  serverId: string,
  doubtful: readonly PlacedChange[],
): Promise<readonly Holding[]> {
  const keys = doubtful.map(({ holding }) => holding.key);
  const tokens = await database.transactOnce(async (query) => {
    // By the owner, not by the token: that this was done before may be what was not answered.
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
  for (const { holding } of doubtful) {
    holding.token = tokens.get(holding.key) ?? holding.token;
    holding.isInDoubt = false;
  }
  return doubtful.map(({ holding }) => holding).filter(({ key }) => !tokens.has(key));
}

const countedTypes = [1, -1].map(
  (step) => Object.keys(messageSteps).find((type) => messageSteps[type] === step) ?? "",
);
