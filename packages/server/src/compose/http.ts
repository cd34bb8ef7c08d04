import { analystThread } from "@atoll/analyst";
import type { McpServers } from "@atoll/toolkit/mcp";
import type { Config } from "../config/index.ts";
import { exportThread } from "../export/export-thread.ts";
import { type App, createApp } from "../http/app.ts";
import { PreviewForwarding } from "../http/forwarding/preview-forwarding.ts";
import { createMcpEndpoint, type McpEndpoint } from "../http/mcp/endpoint.ts";
import { PreviewChecks } from "../http/previews/checks.ts";
import type { PreviewAccess } from "../http/previews/link.ts";
import { Previews } from "../http/previews/previews.ts";
import { openPreviewStream } from "../http/previews/streams.ts";
import { Guesses } from "../http/security/guesses.ts";
import type { Services } from "../http/services.ts";
import { Suggestions } from "../http/thread-data/suggestions.ts";
import { createUi } from "../http/ui/pages.ts";
import { findObstacles } from "../readiness/readiness.ts";
import { ReadinessProbe, trySandbox } from "../readiness/sandbox-probe.ts";
import { listRules } from "../threads/approvals/rules.ts";
import type { ServerCluster } from "./cluster.ts";
import type { Storage } from "./storage.ts";
import type { ServerThreads } from "./threads.ts";

/** What clients talk to. */
export interface HttpSurface {
  readonly app: App;
  readonly previews: Previews;
  readonly mcp: McpEndpoint;
}

export interface HttpParts {
  readonly storage: Storage;
  readonly cluster: ServerCluster | undefined;
  readonly threads: ServerThreads;
  readonly mcpServers: McpServers | undefined;
  readonly previewAccess: PreviewAccess;
  /** A folder with the page instead of the built one, read at each request. */
  readonly livePage: string | undefined;
}

export function composeHttp(config: Config, parts: HttpParts): HttpSurface {
  const { storage, cluster, livePage } = parts;
  const { token } = parts.previewAccess;
  const guesses = new Guesses();
  const mcp = composeMcp(config, parts);
  const app = createApp(
    composeServices(config, parts, mcp),
    { ...config, token, signingKey: storage.store.secret },
    {
      ui: createUi(livePage, { isLive: livePage !== undefined }).fetch,
      forwarding: cluster?.forwarding,
      requestCounter: storage.shared?.requestCounter,
      guesses,
    },
  );
  return { app, previews: composePreviews(config, parts, guesses), mcp };
}

function composeServices(
  config: Config,
  { storage: { store }, cluster, threads }: HttpParts,
  mcp: McpEndpoint,
): Services {
  const { runner, models, network } = threads;
  const { dataDir, runtime } = config;
  const probe = new ReadinessProbe(() => trySandbox({ dataDir, runtime }, config.port));
  return {
    ...store,
    runner,
    threadTrash: threads.trash,
    mcp,
    browsers: threads.browsers,
    apiSandboxes: threads.apiSandboxes,
    threadSandboxes: threads.sandboxes,
    sessions: threads.sessions,
    networks: network.networks,
    threadLimits: threads.limits,
    recentTraffic: network.recentTraffic,
    openSandbox: (threadId) => openSandbox(threads, threadId),
    resolveModel: (choice) => models.name(choice),
    checkModel: (choice, signal) => models.check(choice, signal),
    suggestions: new Suggestions((data, language) => analystThread.suggest(data, language)),
    exportThread,
    countRuns: () => threads.runCounts.read(),
    sandboxCounts: threads.sandboxCounts,
    egressCounts: network.egressCounts,
    findObstacles: () => findObstacles(store, runtime, probe, cluster?.cluster),
    cluster: cluster?.cluster,
  };
}

function composeMcp(
  config: Config,
  { storage: { store }, cluster, threads, mcpServers, previewAccess }: HttpParts,
): McpEndpoint {
  const leases = cluster?.sandboxLeases;
  return createMcpEndpoint({
    idleMs: config.mcp.idleMs,
    apiSandboxes: threads.apiSandboxes,
    previews: previewAccess,
    openThread: (threadId) => openSandbox(threads, threadId),
    browserOf: (threadId) => threads.browsers.access(threadId),
    rules: (threadId) =>
      listRules(
        store.settings.get().approvalRules ?? [],
        threadId === undefined ? undefined : store.threads.get(threadId)?.settings,
      ),
    network: () => threads.network.networks.ofThread(),
    servers: mcpServers,
    leases: leases && { claim: (id) => leases.claim(id, { isNew: true }), release: leases.release },
    onProblem: (error) => console.error("atoll: MCP:", error),
  });
}

function composePreviews(
  config: Config,
  { storage: { store }, cluster, threads, previewAccess: { token } }: HttpParts,
  guesses: Guesses,
): Previews {
  return new Previews({
    connect: openPreviewStream({
      isThread: async (id) => store.threads.get(id) !== undefined || store.threads.has(id),
      openSandbox: (id) => threads.runner.openSandbox(id),
      threadSandboxes: threads.sessions,
      apiSandboxes: threads.apiSandboxes,
    }),
    checks: new PreviewChecks({
      ...config,
      isHostChecked: config.isLoopback && token === undefined,
      guesses,
    }),
    forwarding:
      cluster && new PreviewForwarding({ ...cluster.forwarding, isThread: (id) => store.threads.has(id) }),
    ...(token === undefined ? {} : { signingKey: store.secret, token }),
  });
}

/** Outside a run: counts as a use of a temporary thread. */
function openSandbox({ sessions, runner }: ServerThreads, threadId: string) {
  sessions.use(threadId)();
  return runner.openSandbox(threadId);
}
