import { afterAll, beforeAll, describe } from "vitest";
import { PostgresServer, whyNoPostgres } from "./postgres-server.ts";
import { describeIf } from "./requirements.ts";

/** The address of a data folder's database, the same each time; undefined: the folder's own SQLite. */
export type DatabaseOf = (dataDir: string) => Promise<string | undefined>;

/** Registers a suite of the store twice: in SQLite, and on a Postgres where there is one. */
export function describeOnDatabases(suite: string, define: (databaseOf: DatabaseOf) => void): void {
  describe(`${suite}, in SQLite`, () => define(async () => undefined));
  describeIf({ suite: `${suite}, in Postgres`, missing: whyNoPostgres(), isRequired: true }, () => {
    const urls = new Map<string, Promise<string>>();
    let server: PostgresServer | undefined;
    beforeAll(async () => {
      server = await PostgresServer.start();
    });
    afterAll(() => server?.[Symbol.asyncDispose]());
    define(async (dataDir) => {
      const url = urls.get(dataDir) ?? server?.createDatabase();
      if (url) urls.set(dataDir, url);
      return url;
    });
  });
}
