import type { OwnedThread } from "./owned-threads.ts";
import type { PlacedChange } from "./log-replica.ts";
import type { Postgres } from "./postgres.ts";

/**
 * Stores a batch in one statement, and so in one transaction: it locks the threads' rows, compares their tokens and stores
 * only the events of threads that this server still owns. Returns the other threads.
 */
export async function writeChanges(
  database: Postgres,
  placed: readonly PlacedChange[],
): Promise<readonly OwnedThread[]> {
  if (placed.length === 0) return [];
  const rows = placed.flatMap(({ change, thread }) =>
    change.rows.map((row) => ({ ...row, key: thread.key })),
  );
  const owned = await database.queryOnce<{ key: number }>(statement, [
    placed.map(({ thread }) => thread.key),
    placed.map(({ thread }) => thread.token),
    placed.map(({ change }) => sum(change.rows.map(({ type }) => messageSteps[type] ?? 0))),
    placed.map(({ change }) => latest(change.rows.filter(({ type }) => type in uses).map(({ at }) => at))),
    placed.map(({ change }) => (change.isSettled === undefined ? null : Number(change.isSettled))),
    placed.map(({ change }) => change.skippedTo ?? 0),
    rows.map(({ key }) => key),
    rows.map(({ id }) => id),
    rows.map(({ type }) => type),
    rows.map(({ run_id: runId }) => runId),
    rows.map(({ at }) => at),
    rows.map(({ payload }) => payload),
  ]);
  const ownedKeys = new Set(owned.map(({ key }) => key));
  return placed.map(({ thread }) => thread).filter(({ key }) => !ownedKeys.has(key));
}

const statement = `
  WITH changes AS (
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
      AS change (key, token, messages, used_at, is_settled, skipped_to)
  ), owned AS (
    UPDATE threads SET
      message_count = threads.message_count + change.messages,
      used_at = greatest(threads.used_at, change.used_at),
      used_age = CASE WHEN change.used_at = 0 THEN threads.used_age ELSE (SELECT age_ms FROM age_clock) END,
      is_settled = coalesce(change.is_settled = 1, threads.is_settled),
      skipped_to = greatest(threads.skipped_to, change.skipped_to)
    FROM changes AS change
    WHERE threads.key = change.key AND threads.owner_token = change.token
    RETURNING threads.key
  ), stored AS (
    INSERT INTO events (thread_key, id, type, run_id, at, payload)
    SELECT event.thread_key, event.id, event.type, event.run_id, event.at, event.payload
    FROM unnest($7::bigint[], $8::bigint[], $9::text[], $10::text[], $11::bigint[], $12::text[])
      AS event (thread_key, id, type, run_id, at, payload)
    JOIN owned ON owned.key = event.thread_key
  )
  SELECT key FROM owned`;

/** As the table of events in SQLite counts them. */
export const messageSteps: Readonly<Record<string, number>> = { message: 1, message_removed: -1 };
const uses: Readonly<Record<string, true>> = { message: true, message_removed: true, done: true };

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function latest(times: readonly number[]): number {
  return times.reduce((last, time) => Math.max(last, time), 0);
}
