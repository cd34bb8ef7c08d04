import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import { answer } from "@atoll/agent";
import { analystThread, loadTables } from "@atoll/analyst";
import type { ThreadSandboxes } from "@atoll/lifecycle";
import { AtollError, type ChosenDriver, Sandbox } from "@atoll/sandbox";
import { ThreadBrowsers } from "./browsers/thread-browsers.ts";
import { chooseTimes } from "./cluster/contract.ts";
import { createServerCluster } from "./cluster/server-cluster.ts";
import type { Config } from "./config/index.ts";
import { createForwarding } from "./http/forwarding/forwarding.ts";
import { PreviewForwarding } from "./http/forwarding/preview-forwarding.ts";
import { loadToken } from "./store/data-folder/access-token.ts";
import { exportThread } from "./export/export-thread.ts";
import { createApp } from "./http/app.ts";
import { RunCounts } from "./metrics/run-counts.ts";
import { SandboxCounts } from "./metrics/sandbox-counts.ts";
import { Guesses } from "./http/security/guesses.ts";
import { serve } from "./http/connections/serve.ts";
import { ThreadLimits } from "./limits/thread-limits.ts";
import { createMcpEndpoint } from "./http/mcp/endpoint.ts";
import { Models } from "./models.ts";
import { findObstacles } from "./readiness/readiness.ts";
import { createServerNetwork } from "./network/server-network.ts";
import { PreviewChecks } from "./http/previews/checks.ts";
import { writePreviewLink } from "./http/previews/link.ts";
import { Previews } from "./http/previews/previews.ts";
import { openPreviewStream } from "./http/previews/streams.ts";
import { ApiSandboxes } from "./api-sandboxes/api-sandboxes.ts";
import { listRules } from "./threads/approvals/rules.ts";
import { ThreadRegistry } from "./threads/registry.ts";
import { createThreadRuntimes } from "./threads/runtimes.ts";
import type { Services } from "./http/services.ts";
import { createSandboxes } from "./sessions/sandboxes-by-folder.ts";
import { Sessions } from "./sessions/sessions.ts";
import { ReadinessProbe, trySandbox } from "./readiness/sandbox-probe.ts";
import { describeProblem, openSharedServices, type SharedServices } from "./compose/redis.ts";
import type { Store } from "./store/contract.ts";
import { openStore } from "./store/open.ts";
import { isTemporaryThread } from "./store/temporary-ids.ts";
import { ThreadTrash } from "./trash/thread-trash.ts";
import { createUi } from "./http/ui/pages.ts";
import { Suggestions } from "./http/thread-data/suggestions.ts";
import { startSandboxes, warmUp } from "./compose/warm-up.ts";

const bundledDataset = join(import.meta.dirname, "../../../data/transactions.csv");

export interface RunningServer {
  readonly url: string;
  /** Logs a browser in, once; undefined where no token is demanded. */
  readonly loginUrl?: string;
  /** Made just now and kept in the data folder: to be shown once. */
  readonly newToken?: string;
  /** What answers messages, e.g. `built-in`. */
  readonly model: string;
  /** Absent where no runtime can be used, which requests then tell. */
  readonly sandboxes?: ChosenDriver;
  close(): Promise<void>;
}

/** Puts the parts together, closes what a dead server left open, and listens. */
export async function startServer(
  config: Config,
  /** `livePage`: a folder with the page instead of the built one, read at each request. */
  { livePage }: { livePage?: string } = {},
): Promise<RunningServer> {
  for (const [name, value] of Object.entries(config.sandboxEnv)) process.env[name] ??= value;
  const { redisUrl, databaseUrl } = config;
  const { serversFile } = config.mcp;
  const mcpServers = serversFile === undefined ? undefined : await openMcpServers(serversFile);
  const serverId = randomUUID();
  const store = await openStore({
    ...config,
    temporaryDir: config.sessions.baseDir,
    serverId,
    beforeCreate: async (threadId) => void (await cluster?.claim(`thread:${threadId}`, { isNew: true })),
    onLost: (threadId) => void cluster?.lose(`thread:${threadId}`),
  });
  const shared = redisUrl === undefined ? undefined : await openShared(redisUrl, store);
  const times = chooseTimes(config.leaseMs);
  const cluster =
    shared && databaseUrl !== undefined
      ? createServerCluster({
          redis: shared.redis,
          serverId,
          times,
          store,
          parts: () => ({ runner, sandboxes, apiSandboxes }),
          onProblem: (error) => console.error(`atoll: between servers: ${describeProblem(error)}`),
        })
      : undefined;
  const forwarding = cluster && createForwarding(cluster, { secret: store.secret, leaseTtlMs: times.ttlMs });
  const { token, isNew } = loadToken(config);
  const models = new Models(config, store.settings);
  const location = {
    dataDir: config.dataDir,
    runtime: config.runtime,
  };
  const { deleteAfterMs, trashMs } = config.lifecycle;
  const sessionDir = config.sessions.baseDir ?? config.dataDir;
  const dirOf = (threadId: string) => (isTemporaryThread(threadId) ? sessionDir : config.dataDir);
  const isKnown = async (threadId: string) =>
    !store.isWhole || (await store.threads.has(threadId)) || store.trash.has(threadId);
  const sandboxCounts = new SandboxCounts();
  const network = createServerNetwork(config.network, store);
  const chosen = await Sandbox.chosen(config.runtime).catch(() => undefined);
  const threadLimits = new ThreadLimits(config.threadLimits, chosen?.driver);
  const sandboxes: ThreadSandboxes = await createSandboxes(
    {
      ...location,
      ...createThreadRuntimes(store.threads, { ...location, dirOf }),
      ...config.lifecycle,
      checkpointBytesOf: (threadId) => store.threads.get(threadId)?.temporary?.maxBytes,
      network: (threadId) => network.ofThread(threadId),
      isKnown,
      onStateChange: (_, change) => sandboxCounts.note(change),
      ...(deleteAfterMs > 0 ? { onExpired: (threadId: string) => expire(threadId) } : {}),
      ...(shared ? { queue: shared.queue } : {}),
      ...(cluster
        ? {
            acquireLease: (threadId: string) => cluster.claim(`thread:${threadId}`),
            isOwnedElsewhere: (threadId: string) => cluster.isElsewhere(`thread:${threadId}`),
            orphanTimeoutMs: times.orphanTimeoutMs,
          }
        : {}),
      onProblem: (threadId, error) => console.error(`atoll: the sandbox of thread ${threadId}:`, error),
    },
    { dir: sessionDir, openQueue: shared?.openQueue },
  );
  const sessions: Sessions = new Sessions({
    ...config.sessions,
    store,
    sandboxes,
    runner: () => runner,
    ...(cluster ? { claim: (threadId: string) => cluster.claim(`thread:${threadId}`) } : {}),
    onProblem: (threadId, error) => console.error(`atoll: the temporary thread ${threadId}:`, error),
  });
  const expire = async (threadId: string) => {
    await cluster?.claim(`thread:${threadId}`);
    return runner.expire(threadId, deleteAfterMs, { isFinal: trashMs === 0 });
  };
  shared?.redis.on("ready", () => sandboxes.rescheduleTimers());
  const apiSandboxes = new ApiSandboxes({
    ...location,
    network: network.ofApiSandboxes,
    leases: cluster && {
      claim: (id, options) => cluster.claim(`sandbox:${id}`, options),
      isElsewhere: (id) => cluster.isElsewhere(`sandbox:${id}`),
      release: (id) => cluster.release(`sandbox:${id}`),
    },
  });
  const browsers = new ThreadBrowsers({
    ...location,
    temporaryDir: sessionDir,
    ...config.browser,
    openSandbox: (threadId) => runner.openSandbox(threadId),
    egress: (threadId) => network.ofThread(threadId).egress,
    sandboxes,
    isKnown,
    ...(cluster ? { isElsewhere: (threadId: string) => cluster.isElsewhere(`thread:${threadId}`) } : {}),
    onProblem: (threadId, error) => console.error(`atoll: the browser of thread ${threadId}:`, error),
  });
  const openSandbox = (threadId: string) => {
    sessions.use(threadId)();
    return runner.openSandbox(threadId);
  };
  const previewAccess = { isLoopback: config.isLoopback, token, signingKey: store.secret };
  const listening = Promise.withResolvers<string>();
  const counts = new RunCounts();
  const runner = new ThreadRegistry({
    store,
    sandboxes,
    answer: sessions.watch(counts.watch(answer)),
    ...sessions.forRunner(),
    loadTables,
    resolveModel: ({ model }) => models.resolve(model),
    networkOf: (settings) => network.networks.ofThread(settings.network),
    sandboxLimits: (threadId) =>
      sessions.quota.narrow(threadId, threadLimits.of(store.threads.get(threadId)?.settings)),
    approvalRules: () => store.settings.get().approvalRules ?? [],
    limits: { approvalTimeoutMs: config.approvalTimeoutMs },
    toolContext: (threadId) => ({
      browser: browsers.access(threadId),
      previewUrl: async (port) => {
        const origin = await listening.promise;
        const link = writePreviewLink(previewAccess, { origin, sandboxId: threadId, port });
        return link.url ?? origin + link.path;
      },
      mcp: mcpServers,
    }),
    bundledDataset,
    onCheckpoint: (checkpoint) => sandboxCounts.noteCheckpoint(checkpoint),
  });
  const mcp = createMcpEndpoint({
    idleMs: config.mcp.idleMs,
    apiSandboxes,
    previews: previewAccess,
    openThread: (threadId) => openSandbox(threadId),
    browserOf: (threadId) => browsers.access(threadId),
    rules: (threadId) =>
      listRules(
        store.settings.get().approvalRules ?? [],
        threadId === undefined ? undefined : store.threads.get(threadId)?.settings,
      ),
    network: () => network.networks.ofThread(),
    servers: mcpServers,
    leases: cluster && {
      claim: (id) => cluster.claim(`sandbox:${id}`, { isNew: true }),
      release: (id) => cluster.release(`sandbox:${id}`),
    },
    onProblem: (error) => console.error("atoll: MCP:", error),
  });
  const probe = new ReadinessProbe(() => trySandbox(location, config.port));
  const threadTrash = new ThreadTrash({
    store,
    runner: () => runner,
    keepMs: trashMs,
    ...(cluster ? { release: (threadId: string) => cluster.release(`thread:${threadId}`) } : {}),
    onProblem: (threadId, error) => console.error(`atoll: the trash, thread ${threadId}:`, error),
  });
  const services: Services = {
    ...store,
    runner,
    threadTrash,
    mcp,
    browsers,
    apiSandboxes,
    threadSandboxes: sandboxes,
    sessions,
    networks: network.networks,
    threadLimits,
    recentTraffic: network.recentTraffic,
    openSandbox,
    resolveModel: (choice) => models.name(choice),
    checkModel: (choice, signal) => models.check(choice, signal),
    suggestions: new Suggestions((data, language) => analystThread.suggest(data, language)),
    exportThread,
    countRuns: () => counts.read(),
    sandboxCounts,
    egressCounts: network.egressCounts,
    findObstacles: () => findObstacles(store, config.runtime, probe, cluster),
    cluster,
  };
  const guesses = new Guesses();
  const app = createApp(
    services,
    { ...config, token, signingKey: store.secret },
    {
      ui: createUi(livePage, { isLive: livePage !== undefined }).fetch,
      forwarding,
      requestCounter: shared?.requestCounter,
      guesses,
    },
  );

  const closeParts = async () => {
    await cluster?.close();
    await sessions.close();
    await threadTrash.close();
    await Promise.all([runner.close(), mcp.close(), mcpServers?.close()]);
    await browsers.close();
    await Promise.all([sandboxes.close(), apiSandboxes.close()]);
    network.close();
    await store.close();
    // Only now nothing of this server is written any more.
    await cluster?.leave();
    shared?.redis.disconnect();
  };
  try {
    const model = describeModel(models);
    // Before any thread is used: what is used notes the age that stands in the store.
    await store.ages.advance();
    await runner.recover();
    const previews = new Previews({
      connect: openPreviewStream({
        isThread: async (id) => store.threads.get(id) !== undefined || store.threads.has(id),
        openSandbox: (id) => runner.openSandbox(id),
        threadSandboxes: sessions,
        apiSandboxes,
      }),
      checks: new PreviewChecks({
        ...config,
        isHostChecked: config.isLoopback && token === undefined,
        guesses,
      }),
      forwarding:
        forwarding && new PreviewForwarding({ ...forwarding, isThread: (id) => store.threads.has(id) }),
      ...(token === undefined ? {} : { signingKey: store.secret, token }),
    });
    const serving = await serve(app, { ...config, previews });
    listening.resolve(serving.url);
    await cluster?.join(config.advertiseUrl ?? advertise(serving.url));
    void sessions.expiry.start();
    void threadTrash.start();
    const warmedUp = warmUp([
      () => models.warmUp(),
      () => startSandboxes(location),
      ...(sessionDir === config.dataDir ? [] : [() => startSandboxes({ ...location, dataDir: sessionDir })]),
      () => sandboxes.adopt(),
      () => apiSandboxes.adopt(),
      () => mcp.removeLeft(),
      () => browsers.cleanUp(),
      () => analystThread.suggest({ tables: [], others: [] }),
    ]);
    return {
      url: serving.url,
      model,
      sandboxes: chosen,
      ...(token === undefined ? {} : { loginUrl: serving.url + app.makeLoginPath() }),
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

/** An address that means all of this machine's means nothing to another one. */
function advertise(url: string): string {
  return url.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:)/, `//${hostname()}`);
}

async function openShared(redisUrl: string, store: Store): Promise<SharedServices> {
  return openSharedServices(redisUrl, store.secret).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
}

/** With the library of the protocol, which only those who have such servers need. */
async function openMcpServers(path: string) {
  const { openConfiguredServers } = await import("@atoll/toolkit/mcp");
  return openConfiguredServers(path);
}

/** A choice that cannot work, e.g. without its key, is the user's to change in the settings of a server that runs. */
function describeModel(models: Models): string {
  try {
    return models.name();
  } catch (error) {
    if (error instanceof AtollError) return `no model yet: ${error.message}`;
    throw error;
  }
}
