/** Each entry brings the database from version n to n + 1. Entries are added, never changed. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE threads (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    title TEXT,
    is_titled_by_user INTEGER NOT NULL DEFAULT 0,
    settings TEXT NOT NULL DEFAULT '{}',
    message_count INTEGER NOT NULL DEFAULT 0,
    is_settled INTEGER NOT NULL DEFAULT 1,
    -- Ids up to here are taken, whether or not an event has them.
    skipped_to INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX threads_by_use ON threads (used_at DESC, key DESC);
  CREATE INDEX threads_unsettled ON threads (key) WHERE is_settled = 0;

  -- With rowids: else the payload would lie in the tree of the key, and every search would read the long ones in whole.
  CREATE TABLE events (
    thread_key INTEGER NOT NULL,
    id INTEGER NOT NULL,
    type TEXT NOT NULL,
    run_id TEXT,
    at INTEGER NOT NULL,
    payload TEXT NOT NULL,
    PRIMARY KEY (thread_key, id)
  ) STRICT;
  -- Tokens and output are most of a log and are read only in order: they are left out.
  CREATE INDEX events_by_type ON events (thread_key, type, id) WHERE type NOT IN ('token', 'output');

  CREATE TABLE uploads (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    is_removed INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE thread_files (
    thread_key INTEGER NOT NULL REFERENCES threads (key) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    file_id TEXT NOT NULL,
    PRIMARY KEY (thread_key, position),
    UNIQUE (thread_key, file_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX thread_files_by_file ON thread_files (file_id);

  CREATE TABLE texts (
    key INTEGER PRIMARY KEY,
    thread_key INTEGER NOT NULL REFERENCES threads (key) ON DELETE CASCADE,
    text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX texts_by_thread ON texts (thread_key);
  CREATE VIRTUAL TABLE text_search USING fts5 (
    text, content = 'texts', content_rowid = 'key', tokenize = 'trigram'
  );
  CREATE TRIGGER texts_added AFTER INSERT ON texts BEGIN
    INSERT INTO text_search (rowid, text) VALUES (new.key, new.text);
  END;
  CREATE TRIGGER texts_removed AFTER DELETE ON texts BEGIN
    INSERT INTO text_search (text_search, rowid, text) VALUES ('delete', old.key, old.text);
  END;
  `,
  `
  ALTER TABLE threads ADD COLUMN parent_thread_id TEXT;
  ALTER TABLE threads ADD COLUMN parent_message_id TEXT;
  `,
  `
  CREATE TABLE shares (
    id TEXT PRIMARY KEY,
    thread_key INTEGER NOT NULL REFERENCES threads (key) ON DELETE CASCADE,
    -- What is shown: a blob of the thread.
    snapshot TEXT NOT NULL,
    -- JSON: the images and files in it.
    hashes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    shared_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX shares_by_thread ON shares (thread_key);
  `,
  `
  -- Of temporary threads only.
  ALTER TABLE threads ADD COLUMN expires_at INTEGER;
  ALTER TABLE threads ADD COLUMN ttl_ms INTEGER;
  ALTER TABLE threads ADD COLUMN max_bytes INTEGER;
  ALTER TABLE threads ADD COLUMN sandbox_bytes INTEGER;
  CREATE INDEX threads_temporary ON threads (expires_at) WHERE expires_at IS NOT NULL;
  `,
  `
  -- The time by which threads age: see AgeClock. What is used notes the age that stands here.
  CREATE TABLE age_clock (age_ms INTEGER NOT NULL, wall_ms INTEGER NOT NULL) STRICT;
  INSERT INTO age_clock VALUES (0, unixepoch() * 1000);
  ALTER TABLE threads ADD COLUMN used_age INTEGER NOT NULL DEFAULT 0;
  -- Of threads in the trash only.
  ALTER TABLE threads ADD COLUMN trashed_at INTEGER;
  ALTER TABLE threads ADD COLUMN trashed_age INTEGER;
  CREATE INDEX threads_trashed ON threads (trashed_at) WHERE trashed_at IS NOT NULL;
  `,
  `
  -- Durable changes since the beginning: see Marker.
  CREATE TABLE acknowledged (count INTEGER NOT NULL) STRICT;
  INSERT INTO acknowledged VALUES (0);
  `,
  `
  -- See checksumOf. Events of before have none.
  ALTER TABLE events ADD COLUMN checksum INTEGER;
  `,
];
