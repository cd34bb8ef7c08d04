import { AtollError } from "@atoll/sandbox";
import type {
  ListThreadsOptions,
  NewThread,
  TemporaryFacts,
  ThreadChange,
  ThreadPage,
  ThreadRecord,
  ThreadStore,
} from "../contract.ts";
import { cleanText } from "../threads/clean-text.ts";
import { cutSearchable } from "../threads/terms.ts";
import { cleanTitle } from "../threads/thread-store.ts";
import { expiredCondition } from "../threads/thread-table.ts";
import type { OwnedThreads } from "./owned-threads.ts";
import type { OwnershipErrors } from "./ownership-errors.ts";
import type { Postgres, Query, Row, Value } from "./postgres.ts";
import { fold, listThreads } from "./thread-search.ts";

/** Threads in Postgres. Those that this server owns are also in its copy; each change goes to Postgres first. */
export class PostgresThreadStore implements ThreadStore {
  readonly #database: Postgres;
  readonly #owned: OwnedThreads;
  readonly #errors: OwnershipErrors;
  readonly #onRemoved: (threadId: string) => void;
  readonly #beforeCreate: (threadId: string) => Promise<void>;
  /** Those that are in Postgres, or about to be, but not in the copy yet. */
  readonly #creating = new Set<string>();

  constructor(parts: {
    database: Postgres;
    owned: OwnedThreads;
    errors: OwnershipErrors;
    onRemoved(threadId: string): void;
    beforeCreate?: ((threadId: string) => Promise<void>) | undefined;
  }) {
    this.#database = parts.database;
    this.#owned = parts.owned;
    this.#errors = parts.errors;
    this.#onRemoved = parts.onRemoved;
    this.#beforeCreate = parts.beforeCreate ?? (async () => {});
  }

  async create(thread: NewThread): Promise<ThreadRecord> {
    if (this.#creating.has(thread.id)) throw thereIsOne();
    this.#creating.add(thread.id);
    try {
      return await this.#create(thread);
    } finally {
      this.#creating.delete(thread.id);
    }
  }

  async #create(given: NewThread): Promise<ThreadRecord> {
    const thread = cleanTitle(given);
    const now = Date.now();
    const isTitledByUser = thread.title !== undefined;
    await this.#beforeCreate(thread.id);
    const { key, token } = await this.#database.transact(async (query) => {
      // The second time, when the first was not answered, it finds its own row.
      const [row] = await query<{ key: number; owner_token: number }>(
        `INSERT INTO threads (id, title, folded_title, is_titled_by_user, settings, created_at, used_at, owner,
           parent_thread_id, parent_message_id, expires_at, ttl_ms, max_bytes, sandbox_bytes, used_age)
         VALUES ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9, $10, $11, $12, $13, (SELECT age_ms FROM age_clock))
         ON CONFLICT (id) DO UPDATE SET owner = excluded.owner
         WHERE threads.owner = excluded.owner AND threads.created_at = excluded.created_at
         RETURNING key, owner_token`,
        [
          thread.id,
          thread.title ?? null,
          thread.title === undefined ? null : fold(thread.title),
          isTitledByUser,
          JSON.stringify(thread.settings ?? {}),
          now,
          this.#errors.serverId,
          thread.parent?.threadId ?? null,
          thread.parent?.messageId ?? null,
          thread.temporary?.expiresAtMs ?? null,
          thread.temporary?.ttlMs ?? null,
          thread.temporary?.maxBytes ?? null,
          thread.temporary?.sandboxBytes ?? null,
        ],
      );
      if (row === undefined || this.#owned.find(thread.id)) throw thereIsOne();
      await insertFiles(query, row.key, thread.fileIds);
      return { key: row.key, token: row.owner_token };
    });
    const owned = { threadId: thread.id, key, token, isInDoubt: false };
    this.#owned.beginCopy().finish(owned, thread, { isTitledByUser, createdAt: now, usedAt: now });
    const stored = this.get(thread.id);
    if (stored === undefined) throw new AtollError("internal", "The thread was not stored.");
    return stored;
  }

  get(threadId: string): ThreadRecord | undefined {
    return this.#owned.read(threadId);
  }

  async has(threadId: string): Promise<boolean> {
    const rows = await this.#database.query("SELECT FROM threads WHERE id = $1 AND trashed_at IS NULL", [
      threadId,
    ]);
    return rows.length > 0;
  }

  list(options: ListThreadsOptions): Promise<ThreadPage> {
    return listThreads(this.#database, options);
  }

  async update(threadId: string, change: ThreadChange): Promise<ThreadRecord | undefined> {
    const title = change.title === undefined ? undefined : cleanText(change.title);
    const rows = await this.#change(
      threadId,
      `UPDATE threads SET title = coalesce($3, title), folded_title = coalesce($4, folded_title),
         is_titled_by_user = is_titled_by_user OR $3 IS NOT NULL, settings = coalesce($5, settings)
       WHERE id = $1 AND owner = $2 RETURNING key`,
      [
        title ?? null,
        title === undefined ? null : fold(title),
        change.settings === undefined ? null : JSON.stringify(change.settings),
      ],
    );
    if (rows === undefined) return undefined;
    this.#owned.change(threadId, { ...change, title });
    return this.get(threadId);
  }

  async suggestTitle(threadId: string, given: string): Promise<boolean> {
    const title = cleanText(given);
    const rows = await this.#change<{ is_taken: boolean }>(
      threadId,
      `UPDATE threads SET title = CASE WHEN is_titled_by_user THEN title ELSE $3 END,
         folded_title = CASE WHEN is_titled_by_user THEN folded_title ELSE $4 END
       WHERE id = $1 AND owner = $2 RETURNING NOT is_titled_by_user AS is_taken`,
      [title, fold(title)],
    );
    if (!rows?.[0]?.is_taken) return false;
    this.#owned.change(threadId, { title, isTitledByUser: false });
    return true;
  }

  async addFiles(threadId: string, fileIds: readonly string[]): Promise<void> {
    const isOwned = await this.#database.transact(async (query) => {
      const [row] = await query<{ key: number }>(
        "SELECT key FROM threads WHERE id = $1 AND owner = $2 FOR UPDATE",
        [threadId, this.#errors.serverId],
      );
      if (row) await insertFiles(query, row.key, fileIds);
      return row !== undefined;
    });
    if (!isOwned) throw await this.#errors.declareLost(threadId);
    this.#owned.addFiles(threadId, fileIds);
  }

  async remove(threadId: string): Promise<boolean> {
    const rows = await this.#database.transact(async (query) => {
      await query(`SET LOCAL statement_timeout = ${removalDeadlineMs}`);
      return query("DELETE FROM threads WHERE id = $1 AND owner = $2 RETURNING key", [
        threadId,
        this.#errors.serverId,
      ]);
    }, removalDeadlineMs);
    if (rows.length === 0 && (await this.has(threadId))) throw await this.#errors.declareLost(threadId);
    const wasOwned = this.#owned.drop(threadId);
    this.#onRemoved(threadId);
    return rows.length > 0 || wasOwned;
  }

  async indexText(threadId: string, text: string): Promise<void> {
    const kept = cutSearchable(text);
    if (kept === undefined) return;
    await this.#database.query(
      "INSERT INTO texts (thread_key, text, folded) SELECT key, $3, $4 FROM threads WHERE id = $1 AND owner = $2",
      [threadId, this.#errors.serverId, kept, fold(kept)],
    );
  }

  async count(): Promise<number> {
    const [row] = await this.#database.query<{ count: number }>(
      "SELECT count(*) AS count FROM threads WHERE trashed_at IS NULL",
    );
    return row?.count ?? 0;
  }

  async noteTemporary(threadId: string, facts: Partial<TemporaryFacts>): Promise<void> {
    const rows = await this.#change(
      threadId,
      `UPDATE threads SET
         expires_at = CASE WHEN ttl_ms IS NULL THEN NULL ELSE coalesce($3::bigint, expires_at) END,
         sandbox_bytes = CASE WHEN ttl_ms IS NULL THEN NULL ELSE coalesce($4::bigint, sandbox_bytes) END
       WHERE id = $1 AND owner = $2 RETURNING key`,
      [facts.expiresAtMs ?? null, facts.sandboxBytes ?? null],
    );
    if (rows) this.#owned.noteTemporary(threadId, facts);
  }

  async listExpired(nowMs: number): Promise<readonly string[]> {
    const rows = await this.#database.query<{ id: string }>(
      `SELECT id FROM threads WHERE ${expiredCondition("$1::bigint")} ORDER BY expires_at`,
      [nowMs],
    );
    return rows.map(({ id }) => id);
  }

  async unusedMs(threadId: string): Promise<number | undefined> {
    const [row] = await this.#database.query<{ unused: number }>(
      "SELECT age_ms - used_age AS unused FROM threads, age_clock WHERE id = $1",
      [threadId],
    );
    return row?.unused;
  }

  /** `$1` is the thread and `$2` this server. Undefined when there is no such thread. */
  async #change<Found extends Row>(
    threadId: string,
    text: string,
    values: readonly Value[],
  ): Promise<readonly Found[] | undefined> {
    const rows = await this.#database.query<Found>(text, [threadId, this.#errors.serverId, ...values]);
    if (rows.length > 0) return rows;
    const loss = await this.#errors.declareLost(threadId);
    if (loss.code === "not_found") return undefined;
    throw loss;
  }
}

/** A log of a million events is a while in the going. */
const removalDeadlineMs = 120_000;

async function insertFiles(query: Query, key: number, fileIds: readonly string[]): Promise<void> {
  if (fileIds.length === 0) return;
  // Held until the thread has them: see `takeUnused`.
  await query("SELECT FROM uploads WHERE id = ANY ($1::text[]) FOR KEY SHARE", [fileIds]);
  await query(
    `INSERT INTO thread_files (thread_key, position, file_id)
     SELECT $1::bigint, (SELECT coalesce(max(position), 0) FROM thread_files WHERE thread_key = $1::bigint) + nth, id
     FROM unnest($2::text[]) WITH ORDINALITY AS file (id, nth)
     ON CONFLICT (thread_key, file_id) DO NOTHING`,
    [key, fileIds],
  );
}

function thereIsOne(): AtollError {
  return new AtollError("already_exists", "There is a thread with this id.");
}
