/** Each entry brings the database from version n to n + 1. Entries are added, never changed. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE threads (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    title text,
    -- As the search compares it.
    folded_title text,
    is_titled_by_user boolean NOT NULL DEFAULT false,
    settings text NOT NULL DEFAULT '{}',
    message_count bigint NOT NULL DEFAULT 0,
    is_settled boolean NOT NULL DEFAULT true,
    -- Ids up to here are taken, whether or not an event has them.
    skipped_to bigint NOT NULL DEFAULT 0,
    created_at bigint NOT NULL,
    used_at bigint NOT NULL,
    parent_thread_id text,
    parent_message_id text,
    -- The server that may write, and the number that each of its batches has to name.
    owner text NOT NULL,
    owner_token bigint NOT NULL DEFAULT 1
  ) WITH (fillfactor = 80);
  CREATE INDEX threads_by_use ON threads (used_at DESC, key DESC);
  CREATE INDEX threads_unsettled ON threads (owner) WHERE NOT is_settled;

  CREATE TABLE events (
    thread_key bigint NOT NULL REFERENCES threads (key) ON DELETE CASCADE,
    id bigint NOT NULL,
    type text NOT NULL,
    run_id text,
    at bigint NOT NULL,
    payload text NOT NULL,
    PRIMARY KEY (thread_key, id)
  );

  CREATE TABLE uploads (
    id text PRIMARY KEY,
    name text NOT NULL,
    size_bytes bigint NOT NULL,
    sha256 text NOT NULL,
    is_removed boolean NOT NULL DEFAULT false,
    created_at bigint NOT NULL
  );
  CREATE INDEX uploads_removed ON uploads (id) WHERE is_removed;

  CREATE TABLE thread_files (
    thread_key bigint NOT NULL REFERENCES threads (key) ON DELETE CASCADE,
    position bigint NOT NULL,
    file_id text NOT NULL,
    PRIMARY KEY (thread_key, position),
    UNIQUE (thread_key, file_id)
  );
  CREATE INDEX thread_files_by_file ON thread_files (file_id);

  CREATE TABLE texts (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    thread_key bigint NOT NULL REFERENCES threads (key) ON DELETE CASCADE,
    text text NOT NULL,
    folded text NOT NULL
  );
  CREATE INDEX texts_by_thread ON texts (thread_key);

  -- Makes the search fast; where it may not be installed, the search reads every text instead.
  DO $$ BEGIN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE INDEX texts_by_trigram ON texts USING gin (folded gin_trgm_ops);
  EXCEPTION WHEN insufficient_privilege OR undefined_file OR undefined_object OR feature_not_supported THEN
    RAISE NOTICE 'pg_trgm is not available: %', SQLERRM;
  END $$;
  `,
  `
  CREATE TABLE shares (
    id text PRIMARY KEY,
    thread_key bigint NOT NULL REFERENCES threads (key) ON DELETE CASCADE,
    -- What is shown: a blob of the thread.
    snapshot text NOT NULL,
    -- JSON: the images and files in it.
    hashes text NOT NULL,
    created_at bigint NOT NULL,
    shared_at bigint NOT NULL
  );
  CREATE INDEX shares_by_thread ON shares (thread_key);
  `,
  `
  -- Of temporary threads only.
  ALTER TABLE threads ADD COLUMN expires_at bigint, ADD COLUMN ttl_ms bigint, ADD COLUMN max_bytes bigint,
    ADD COLUMN sandbox_bytes bigint;
  CREATE INDEX threads_temporary ON threads (expires_at) WHERE expires_at IS NOT NULL;
  `,
  `
  -- The time by which threads age: see AgeClock. What is used notes the age that stands here.
  CREATE TABLE age_clock (age_ms bigint NOT NULL, wall_ms bigint NOT NULL);
  INSERT INTO age_clock VALUES (0, extract(epoch FROM now())::bigint * 1000);
  ALTER TABLE threads ADD COLUMN used_age bigint NOT NULL DEFAULT 0,
    -- Of threads in the trash only.
    ADD COLUMN trashed_at bigint, ADD COLUMN trashed_age bigint;
  CREATE INDEX threads_trashed ON threads (trashed_at) WHERE trashed_at IS NOT NULL;
  `,
];
