import { join } from "node:path";
import { answer } from "@atoll/agent";
import { loadTables } from "@atoll/analyst";
import type { ThreadSandboxes } from "@atoll/lifecycle";
import { type ChosenDriver, Sandbox } from "@atoll/sandbox";
import type { McpServers } from "@atoll/toolkit/mcp";
import { ApiSandboxes } from "../api-sandboxes/api-sandboxes.ts";
import { ThreadBrowsers } from "../browsers/thread-browsers.ts";
import type { Config } from "../config/index.ts";
import { ThreadLimits } from "../limits/thread-limits.ts";
import { RunCounts } from "../metrics/run-counts.ts";
import { SandboxCounts } from "../metrics/sandbox-counts.ts";
import { Models } from "../models.ts";
import { createServerNetwork, type ServerNetwork } from "../network/server-network.ts";
import { createSandboxes } from "../sessions/sandboxes-by-folder.ts";
import { Sessions } from "../sessions/sessions.ts";
import { isTemporaryThread } from "../store/temporary-ids.ts";
import type { Runner } from "../threads/contract.ts";
import { ThreadRegistry } from "../threads/registry.ts";
import { createThreadRuntimes } from "../threads/runtimes.ts";
import { ThreadTrash } from "../trash/thread-trash.ts";
import type { ServerCluster } from "./cluster.ts";
import type { Storage } from "./storage.ts";

const BUNDLED_DATASET = join(import.meta.dirname, "../../../../data/transactions.csv");

/** Threads with all that they work with: sandboxes, browsers, models, the network. */
export interface ServerThreads {
  readonly runner: Runner;
  readonly sandboxes: ThreadSandboxes;
  readonly apiSandboxes: ApiSandboxes;
  readonly sessions: Sessions;
  readonly browsers: ThreadBrowsers;
  readonly trash: ThreadTrash;
  readonly models: Models;
  readonly network: ServerNetwork;
  readonly limits: ThreadLimits;
  /** Undefined when no runtime works here; requests then say why. */
  readonly driver: ChosenDriver | undefined;
  readonly runCounts: RunCounts;
  readonly sandboxCounts: SandboxCounts;
}

export async function composeThreads(
  config: Config,
  storage: Storage,
  options: {
    readonly cluster: ServerCluster | undefined;
    readonly mcpServers: McpServers | undefined;
    /** The address of a port of a thread's sandbox, for its agent. */
    previewUrl(threadId: string, port: number): Promise<string>;
  },
): Promise<ServerThreads> {
  const { store } = storage;
  const { cluster, mcpServers } = options;
  const leases = cluster?.threadLeases;
  const location = { dataDir: config.dataDir, runtime: config.runtime };
  const temporaryDir = config.sessions.baseDir ?? config.dataDir;
  const isKnown = async (threadId: string) =>
    !store.isWhole || (await store.threads.has(threadId)) || store.trash.has(threadId);

  const runCounts = new RunCounts();
  const sandboxCounts = new SandboxCounts();
  const network = createServerNetwork(config.network, store);
  const models = new Models(config, store.settings);
  const driver = await Sandbox.chosen(config.runtime).catch(() => undefined);
  const limits = new ThreadLimits(config.threadLimits, driver?.driver);
  const sandboxes = await openSandboxes(config, storage, {
    cluster,
    network,
    isKnown,
    sandboxCounts,
    runner: () => runner,
  });
  const sessions: Sessions = new Sessions({
    ...config.sessions,
    store,
    sandboxes,
    runner: () => runner,
    claim: leases?.claim,
    onProblem: (threadId, error) => console.error(`atoll: temporary thread ${threadId}:`, error),
  });
  const browsers = new ThreadBrowsers({
    ...location,
    temporaryDir,
    ...config.browser,
    openSandbox: (threadId) => runner.openSandbox(threadId),
    egress: (threadId) => network.ofThread(threadId).egress,
    sandboxes,
    isKnown,
    isElsewhere: leases?.isElsewhere,
    onProblem: (threadId, error) => console.error(`atoll: browser of thread ${threadId}:`, error),
  });
  const runner: Runner = new ThreadRegistry({
    store,
    sandboxes,
    answer,
    onDone: (done) => runCounts.note(done),
    ...sessions.forRunner(),
    loadTables,
    resolveModel: ({ model }) => models.resolve(model),
    networkOf: (settings) => network.networks.ofThread(settings.network),
    sandboxLimits: (threadId) =>
      sessions.quota.narrow(threadId, limits.of(store.threads.get(threadId)?.settings)),
    approvalRules: () => store.settings.get().approvalRules ?? [],
    limits: { approvalTimeoutMs: config.approvalTimeoutMs },
    toolContext: (threadId) => ({
      browser: browsers.access(threadId),
      previewUrl: (port) => options.previewUrl(threadId, port),
      mcp: mcpServers,
    }),
    bundledDataset: BUNDLED_DATASET,
    onCheckpoint: (checkpoint) => sandboxCounts.noteCheckpoint(checkpoint),
  });
  const trash = new ThreadTrash({
    store,
    runner: () => runner,
    keepMs: config.lifecycle.trashMs,
    release: leases?.release,
    onProblem: (threadId, error) => console.error(`atoll: trash, thread ${threadId}:`, error),
  });
  const apiSandboxes = new ApiSandboxes({
    ...location,
    network: network.ofApiSandboxes,
    leases: cluster?.sandboxLeases,
  });
  return {
    runner,
    sandboxes,
    apiSandboxes,
    sessions,
    browsers,
    trash,
    models,
    network,
    limits,
    driver,
    runCounts,
    sandboxCounts,
  };
}

/** The sandboxes of threads, with what wakes, suspends and expires them. */
async function openSandboxes(
  config: Config,
  { store, shared }: Storage,
  parts: {
    readonly cluster: ServerCluster | undefined;
    readonly network: ServerNetwork;
    readonly sandboxCounts: SandboxCounts;
    isKnown(threadId: string): Promise<boolean>;
    runner(): Runner;
  },
): Promise<ThreadSandboxes> {
  const { cluster } = parts;
  const { dataDir, runtime } = config;
  const { deleteAfterMs, trashMs } = config.lifecycle;
  const temporaryDir = config.sessions.baseDir ?? dataDir;
  const dirOf = (threadId: string) => (isTemporaryThread(threadId) ? temporaryDir : dataDir);
  const expire = async (threadId: string) => {
    await cluster?.threadLeases.claim(threadId);
    return parts.runner().expire(threadId, deleteAfterMs, { isFinal: trashMs === 0 });
  };
  const sandboxes = await createSandboxes(
    {
      dataDir,
      runtime,
      ...createThreadRuntimes(store.threads, { runtime, dirOf }),
      ...config.lifecycle,
      checkpointBytesOf: (threadId) => store.threads.get(threadId)?.temporary?.maxBytes,
      network: (threadId) => parts.network.ofThread(threadId),
      isKnown: (threadId) => parts.isKnown(threadId),
      onStateChange: (_, change) => parts.sandboxCounts.note(change),
      onExpired: deleteAfterMs > 0 ? expire : undefined,
      queue: shared?.queue,
      acquireLease: cluster?.threadLeases.claim,
      isOwnedElsewhere: cluster?.threadLeases.isElsewhere,
      orphanTimeoutMs: cluster?.times.orphanTimeoutMs,
      onProblem: (threadId, error) => console.error(`atoll: sandbox of thread ${threadId}:`, error),
    },
    { dir: temporaryDir, openQueue: shared?.openQueue },
  );
  shared?.redis.on("ready", () => sandboxes.rescheduleTimers());
  return sandboxes;
}
