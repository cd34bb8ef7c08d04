import { join } from "node:path";
import { answer, loadTables, suggestQuestions } from "@atoll/agent";
import { createThreadSandboxes } from "@atoll/lifecycle";
import { AtollError, Sandbox } from "@atoll/sandbox";
import { type Config, loadToken } from "./config/index.ts";
import { exportThread } from "./export/export-thread.ts";
import { createApp } from "./http/app.ts";
import { RunCounts } from "./http/metrics/run-counts.ts";
import { serve } from "./http/serve.ts";
import { Models } from "./models.ts";
import { findObstacles } from "./obstacles.ts";
import { ProgramSandboxes } from "./programs/program-sandboxes.ts";
import { createRunner } from "./runs/runner.ts";
import type { Services } from "./services.ts";
import { openStore } from "./store/open.ts";
import { createUi } from "./ui/pages.ts";

const bundledDataset = join(import.meta.dirname, "../../../data/transactions.csv");

export interface RunningServer {
  readonly url: string;
  /** Logs a browser in, once; undefined where no token is demanded. */
  readonly loginUrl?: string;
  /** Made just now and kept in the data folder: to be shown once. */
  readonly newToken?: string;
  /** What answers messages, e.g. `built-in`. */
  readonly model: string;
  close(): Promise<void>;
}

/** Puts the parts together, closes what a dead server left open, and listens. */
export async function startServer(config: Config): Promise<RunningServer> {
  const store = openStore(config);
  const { token, isNew } = loadToken(config);
  const models = new Models(config, store.settings);
  const place = {
    dataDir: config.dataDir,
    ...(config.runtime === undefined ? {} : { runtime: config.runtime }),
  };
  const sandboxes = createThreadSandboxes({
    ...place,
    isKnown: (threadId) => store.threads.get(threadId) !== undefined,
    onProblem: (threadId, error) => console.error(`atoll: the sandbox of thread ${threadId}:`, error),
  });
  const programs = new ProgramSandboxes(place);
  const counts = new RunCounts();
  const runner = createRunner({
    store,
    sandboxes,
    answer: counts.watch(answer),
    loadTables,
    resolveModel: ({ model }) => models.resolve(model),
    bundledDataset,
  });
  const services: Services = {
    ...store,
    runner,
    programs,
    threadSandboxes: sandboxes,
    openSandbox: (threadId) => runner.openSandbox(threadId),
    resolveModel: (choice) => models.name(choice),
    checkModel: (choice, signal) => models.check(choice, signal),
    suggestQuestions,
    exportThread,
    countRuns: () => counts.read(),
    findObstacles: () => findObstacles(store, config.runtime),
  };
  const app = createApp(services, { ...config, token, signingKey: store.secret }, { ui: createUi().fetch });

  const closeParts = async () => {
    await runner.close();
    await Promise.all([sandboxes.close(), programs.close()]);
    await store.close();
  };
  try {
    const model = describeModel(models);
    await runner.recover();
    const serving = await serve(app, config);
    const warmedUp = warmUp([
      () => models.warmUp(),
      () => startSandboxes(place),
      () => sandboxes.adopt(),
      () => programs.adopt(),
    ]);
    return {
      url: serving.url,
      model,
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

/** A choice that cannot work, e.g. without its key, is the user's to change in the settings of a server that runs. */
function describeModel(models: Models): string {
  try {
    return models.name();
  } catch (error) {
    if (error instanceof AtollError) return `no model yet: ${error.message}`;
    throw error;
  }
}

/** The first thread would wait for all this. What fails here fails again, and is told, when it is needed. */
async function warmUp(parts: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const part of parts) await part().catch(() => {});
}

/** Libraries are imported once, for all sandboxes to come. */
async function startSandboxes(place: { dataDir: string; runtime?: string }): Promise<void> {
  await using sandbox = await Sandbox.create(place);
  await sandbox.python.run("1");
}
