import type { ListThreadsOptions, ThreadPage } from "../contract.ts";
import { cutPage, readCursor } from "../threads/cursor.ts";
import { cutSnippet } from "../threads/snippet.ts";
import { splitTerms, toPattern } from "../threads/terms.ts";
import { toRecord, type ThreadRow } from "../threads/thread-table.ts";
import type { Postgres, Row } from "./postgres.ts";

/** The list of threads, all or those in which every word of a query occurs, in a text or in the title. */
export async function listThreads(database: Postgres, options: ListThreadsOptions): Promise<ThreadPage> {
  const before = readCursor(options.before);
  const terms = splitTerms(options.query ?? "");
  const patterns = terms.map((term) => toPattern(fold(term)));
  const conditions = patterns.map(
    (_, index) =>
      `AND (key IN (SELECT thread_key FROM texts WHERE folded LIKE $${index + 4}) OR folded_title LIKE $${index + 4})`,
  );
  const rows = await database.query<ThreadRow & Row>(
    `SELECT ${threadColumns} FROM threads
     WHERE trashed_at IS NULL AND (used_at, key) < ($1::bigint, $2::bigint)
     ${options.isTemporaryToo ? "" : "AND expires_at IS NULL"}
     ${conditions.join(" ")}
     ORDER BY used_at DESC, key DESC LIMIT $3`,
    [before.usedAt, before.key, options.limit + 1, ...patterns],
  );
  const { page, ...next } = cutPage(rows, options.limit);
  const snippets = await findSnippets(database, page, terms, patterns);
  const threads = page.map((row) => {
    const snippet = snippets.get(row.key);
    return { ...toRecord(row), snippet };
  });
  return { threads, ...next };
}

/** One form for capitals and small letters, whatever the database's locale makes of them. */
export function fold(text: string): string {
  return text.toLowerCase();
}

export const threadColumns = `key, id, title, settings, message_count, created_at, used_at,
  parent_thread_id, parent_message_id, expires_at, ttl_ms, max_bytes, sandbox_bytes,
  (SELECT coalesce(json_agg(file_id ORDER BY position), '[]')::text FROM thread_files WHERE thread_key = key) AS file_ids`;

/** The surroundings of the first word that is in a text of the thread, in the first such text. */
async function findSnippets(
  database: Postgres,
  page: readonly ThreadRow[],
  terms: readonly string[],
  patterns: readonly string[],
): Promise<ReadonlyMap<number, string>> {
  if (terms.length === 0 || page.length === 0) return new Map();
  const rows = await database.query<{ key: number; nth: number; text: string }>(
    `SELECT page.key, found.nth, found.text FROM unnest($1::bigint[]) AS page (key)
     CROSS JOIN LATERAL (
       SELECT pattern.nth, texts.text FROM unnest($2::text[]) WITH ORDINALITY AS pattern (words, nth)
       JOIN texts ON texts.thread_key = page.key AND texts.folded LIKE pattern.words
       ORDER BY pattern.nth, texts.key LIMIT 1
     ) AS found`,
    [page.map(({ key }) => key), patterns],
  );
  return new Map(rows.map(({ key, nth, text }) => [key, cutSnippet(text, terms[nth - 1] ?? "")]));
}
