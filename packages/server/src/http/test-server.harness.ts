import { Suggestions } from "./thread-data/suggestions.ts";
import { randomBytes } from "node:crypto";
import { BlockList } from "node:net";
import { defaultLimits } from "@atoll/sandbox";
import { ThreadLimits } from "../limits/thread-limits.ts";
import { Networks } from "../network/networks.ts";
import { RecentTraffic } from "../network/recent-traffic.ts";
import { ApiSandboxes } from "../api-sandboxes/api-sandboxes.ts";
import type { Services } from "./services.ts";
import type { Store } from "../store/contract.ts";
import { ThreadTrash } from "../trash/thread-trash.ts";
import { type AtEnd, makeDataDir, openTemporaryStore } from "../store/temporary-store.harness.ts";
import { type App, type AppOptions, createApp } from "./app.ts";
import type { HttpConfig } from "./http-config.ts";
import { serve, type ServeOptions, type Serving } from "./connections/serve.ts";
import { FakeRunner } from "./fake-runner.harness.ts";

export interface TestServer {
  readonly app: App;
  readonly store: Store;
  readonly runner: FakeRunner;
  readonly services: Services;
  readonly config: HttpConfig;
  /** In-process, as a client on this machine would ask. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  post(path: string, body: unknown): Promise<Response>;
  newThread(): Promise<string>;
  listen(options?: Partial<ServeOptions>): Promise<Serving>;
}

/** The whole HTTP surface over a real store, with a runner that does what the test says. */
export async function makeTestServer(
  atEnd: AtEnd,
  options: {
    config?: Partial<HttpConfig>;
    services?: Partial<Services>;
    dataDir?: string;
    app?: AppOptions;
  } = {},
): Promise<TestServer> {
  const dataDir = options.dataDir ?? (await makeDataDir(atEnd));
  const store = await openTemporaryStore(atEnd, dataDir);
  const runner = new FakeRunner(store);
  const apiSandboxes = new ApiSandboxes({ dataDir });
  atEnd(() => apiSandboxes.close());
  const services: Services = {
    ...store,
    runner,
    threadTrash: new ThreadTrash({
      store,
      runner: () => runner,
      keepMs: 7 * 86_400_000,
      onProblem: (_, error) => {
        throw error;
      },
    }),
    apiSandboxes,
    threadSandboxes: {
      state: () => "cold",
      describe: async () => ({ state: "cold", limits: defaultLimits }),
      list: async () => [],
      jobs: async () => [],
      reviveJob: async () => false,
      updateNetwork: async () => {},
      keepAwake: () => () => {},
    },
    networks: new Networks({ usual: "none", egress: {} }),
    threadLimits: new ThreadLimits({ ...defaultLimits, memoryBytes: 4 * defaultLimits.memoryBytes, cpus: 2 }),
    recentTraffic: new RecentTraffic(),
    resolveModel: (choice) => choice ?? "built-in",
    checkModel: async () => ({ isOk: true }),
    suggestions: new Suggestions(async (_, language) => [
      language === "zh" ? "有多少行？" : "How many rows are there?",
    ]),
    exportThread: (format) => ({ body: format, mime: "text/plain", filename: `thread.${format}` }),
    openSandbox: () => runner.openSandbox(),
    findObstacles: async () => [],
    ...options.services,
  };
  const config: HttpConfig = {
    isLoopback: true,
    dataDir,
    signingKey: randomBytes(32),
    maxUploadBytes: 64 * 1024 * 1024,
    threadQuotaBytes: 64 * 1024 * 1024,
    maxInputChars: 1000,
    rateLimit: { windowMs: 60_000, max: 0 },
    trustedProxies: new BlockList(),
    ...options.config,
  };
  const app = createApp(services, config, options.app);
  atEnd(async () => app.close());
  const ask = (path: string, init?: RequestInit) => app.request(path, init);
  return {
    app,
    store,
    runner,
    services,
    config,
    ask,
    post: (path, body) =>
      ask(path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    async newThread() {
      const { id } = await store.threads.create({ id: randomBytes(8).toString("hex"), fileIds: [] });
      return id;
    },
    async listen(serveOptions = {}) {
      const serving = await serve(app, { host: "127.0.0.1", port: 0, ...serveOptions });
      atEnd(() => serving.close());
      return serving;
    },
  };
}
