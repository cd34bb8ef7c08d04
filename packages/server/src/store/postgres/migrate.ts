import { AtollError } from "@atoll/sandbox";
import { migrations } from "./migrations.ts";
import type { Postgres } from "./postgres.ts";

/** Brings the tables to this version. Of servers that start at once, one does it and the others wait for it. */
export async function migrate(database: Postgres): Promise<void> {
  await database.transact(async (query) => {
    await query(`SET LOCAL statement_timeout = ${deadlineMs}`);
    await query("SELECT pg_advisory_xact_lock($1::bigint)", [advisoryLocks.migration]);
    const [encoding] = await query<{ server_encoding: string }>("SHOW server_encoding");
    if (encoding?.server_encoding !== "UTF8") {
      throw new AtollError(
        "not_supported",
        `The database has the encoding ${encoding?.server_encoding}. Make one with UTF8: createdb -E UTF8 -T template0.`,
      );
    }
    await query("CREATE TABLE IF NOT EXISTS atoll_schema (version integer NOT NULL)");
    const [row] = await query<{ version: number }>("SELECT version FROM atoll_schema");
    const version = row?.version ?? 0;
    if (version > migrations.length) {
      throw new AtollError(
        "not_supported",
        `The database was written by a newer Atoll (version ${version}, this one knows ${migrations.length}). ` +
          "Update Atoll, or set DATABASE_URL to another database.",
      );
    }
    for (const migration of migrations.slice(version)) await query(migration);
    if (row === undefined) await query("INSERT INTO atoll_schema VALUES ($1)", [migrations.length]);
    else if (version < migrations.length)
      await query("UPDATE atoll_schema SET version = $1", [migrations.length]);
  }, deadlineMs);
}

/** Numbers that only this program uses, in the hope that no other of the same database does. */
export const advisoryLocks = { migration: 0x61746f6c6c01, settings: 0x61746f6c6c02 };

const deadlineMs = 120_000;
