import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { analystThread } from "@atoll/analyst";
import { AtollError, type ChosenDriver } from "@atoll/sandbox";
import { composeCluster, type ServerCluster } from "./compose/cluster.ts";
import { composeHttp } from "./compose/http.ts";
import { openStorage } from "./compose/storage.ts";
import { composeThreads, type ServerThreads } from "./compose/threads.ts";
import { startSandboxes, warmUp } from "./compose/warm-up.ts";
import type { Config } from "./config/index.ts";
import { serve } from "./http/connections/serve.ts";
import { writePreviewLink } from "./http/previews/link.ts";
import type { Models } from "./models.ts";
import { loadToken } from "./store/data-folder/access-token.ts";

export interface RunningServer {
  readonly url: string;
  /** Logs a browser in, once; undefined where no token is required. */
  readonly loginUrl?: string;
  /** Created just now and kept in the data folder: show it once. */
  readonly newToken?: string;
  /** What answers messages, e.g. `built-in`. */
  readonly model: string;
  /** Undefined when no runtime works here; requests then say why. */
  readonly sandboxes?: ChosenDriver;
  close(): Promise<void>;
}

/**
 * Composes the server, recovers runs that a dead server left open, and listens.
 *
 * @example
 *   const server = await startServer(loadConfig());
 *   console.log(server.url);
 *   await server.close();
 */
export async function startServer(
  config: Config,
  /** `livePage`: a folder with the page instead of the built one, read at each request. */
  { livePage }: { livePage?: string } = {},
): Promise<RunningServer> {
  const mcpServers = await openMcpServers(config.mcp.serversFile);
  const serverId = randomUUID();
  const listening = Promise.withResolvers<string>();

  // Store and cluster ask for the parts that are composed after them only when they need them.
  const storage = await openStorage(config, { serverId, threadLeases: () => cluster?.threadLeases });
  const cluster: ServerCluster | undefined = composeCluster(config, storage, {
    serverId,
    parts: () => threads,
  });
  const { token, isNew } = loadToken(config);
  const previewAccess = { isLoopback: config.isLoopback, token, signingKey: storage.store.secret };
  const threads: ServerThreads = await composeThreads(config, storage, {
    cluster,
    mcpServers,
    async previewUrl(threadId, port) {
      const origin = await listening.promise;
      const link = writePreviewLink(previewAccess, { origin, sandboxId: threadId, port });
      return link.url ?? origin + link.path;
    },
  });
  const http = composeHttp(config, { storage, cluster, threads, mcpServers, previewAccess, livePage });

  const closeParts = async () => {
    await cluster?.cluster.close();
    await threads.sessions.close();
    await threads.trash.close();
    await Promise.all([threads.runner.close(), http.mcp.close(), mcpServers?.close()]);
    await threads.browsers.close();
    await Promise.all([threads.sandboxes.close(), threads.apiSandboxes.close()]);
    threads.network.close();
    await storage.store.close();
    // Only now this server has stopped writing.
    await cluster?.cluster.leave();
    storage.shared?.redis.disconnect();
  };
  try {
    const model = describeModel(threads.models);
    // Before any thread is used: a use stores the age that the store has.
    await storage.store.ages.advance();
    await threads.runner.recover();
    const serving = await serve(http.app, { ...config, previews: http.previews });
    listening.resolve(serving.url);
    await cluster?.cluster.join(config.advertiseUrl ?? advertise(serving.url));
    void threads.sessions.expiry.start();
    void threads.trash.start();
    const warmedUp = warmUp([
      () => threads.models.warmUp(),
      ...listDataDirs(config).map((dataDir) => () => startSandboxes({ dataDir, runtime: config.runtime })),
      () => threads.sandboxes.adopt(),
      () => threads.apiSandboxes.adopt(),
      () => http.mcp.removeLeft(),
      () => threads.browsers.cleanUp(),
      () => analystThread.suggest({ tables: [], others: [] }),
    ]);
    return {
      url: serving.url,
      model,
      sandboxes: threads.driver,
      ...(token === undefined ? {} : { loginUrl: serving.url + http.app.makeLoginPath() }),
      ...(isNew && token !== undefined ? { newToken: token } : {}),
      async close() {
        await serving.close();
        await warmedUp;
        await closeParts();
      },
    };
  } catch (error) {
    await closeParts();
    throw error;
  }
}

/** Temporary threads may have a folder of their own. */
function listDataDirs({ dataDir, sessions }: Config): string[] {
  return [...new Set([dataDir, sessions.baseDir ?? dataDir])];
}

/** Replaces an address that means "all of this machine", which another machine cannot use. */
function advertise(url: string): string {
  return url.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:)/, `//${hostname()}`);
}

/** Loads the protocol's library only when MCP servers are configured. */
async function openMcpServers(path: string | undefined) {
  if (path === undefined) return undefined;
  const { openConfiguredServers } = await import("@atoll/toolkit/mcp");
  return openConfiguredServers(path);
}

/** The server starts without a usable model, e.g. without its key: the user can change it in the settings. */
function describeModel(models: Models): string {
  try {
    return models.name();
  } catch (error) {
    if (error instanceof AtollError) return `no model yet: ${error.message}`;
    throw error;
  }
}
