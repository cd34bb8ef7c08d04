import { DataFolder } from "./data-folder.ts";
import { PostgresServer, whyNoPostgres } from "./postgres-server.ts";
import { RedisServer, whyNoRedis } from "./redis-server.ts";
import { type ScriptedOpenAI, startScriptedOpenAI } from "./scripted-openai/index.ts";
import type { ServerProcess } from "./server-process.ts";

/** As the end of "skipped, since …"; undefined when several servers can run here. */
export function whyNoInstallation(): string | undefined {
  return whyNoRedis() ?? whyNoPostgres();
}

/** What several servers stand on: one data folder, one Redis, one Postgres, and a model. */
export class Installation implements AsyncDisposable {
  readonly folder: DataFolder;
  readonly redis: RedisServer;
  readonly postgres: PostgresServer;
  readonly models: ScriptedOpenAI;
  readonly databaseUrl: string;

  private constructor(
    parts: Pick<Installation, "folder" | "redis" | "postgres" | "models"> & { databaseUrl: string },
  ) {
    this.folder = parts.folder;
    this.redis = parts.redis;
    this.postgres = parts.postgres;
    this.models = parts.models;
    this.databaseUrl = parts.databaseUrl;
  }

  static async create(name: string): Promise<Installation> {
    const [folder, redis, postgres, models] = await Promise.all([
      DataFolder.create(name),
      RedisServer.start(),
      PostgresServer.start(),
      startScriptedOpenAI(),
    ]);
    return new Installation({
      folder,
      redis,
      postgres,
      models,
      databaseUrl: await postgres.createDatabase(),
    });
  }

  /** A server that the others give up after two seconds of silence. */
  start(env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
    return this.folder.start({
      env: {
        REDIS_URL: this.redis.url,
        DATABASE_URL: this.databaseUrl,
        ATOLL_LEASE_S: "2",
        OPENAI_BASE_URL: this.models.baseUrl,
        ATOLL_MODEL: "openai-compatible:scripted",
        ...env,
      },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.folder[Symbol.asyncDispose]();
    await this.models.close();
    await this.redis[Symbol.asyncDispose]();
    await this.postgres[Symbol.asyncDispose]();
  }
}
