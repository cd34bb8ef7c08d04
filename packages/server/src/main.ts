#!/usr/bin/env node
// `npm start`: the server, until it is told to end.
import { AtollError } from "@atoll/sandbox";
import { ConfigError, exportToDrivers, loadConfig } from "./config/index.ts";
import { surviveDefects } from "./last-resort.ts";
import { startServer, type RunningServer } from "./start.ts";

/** A server that cannot end in this time is ended without its consent. */
const graceMs = 20_000;

const server = await start();
if (server) endOnSignal(server);

async function start(): Promise<RunningServer | undefined> {
  try {
    const config = loadConfig();
    for (const warning of config.warnings) console.warn(`atoll: ${warning}`);
    exportToDrivers(config);
    const running = await startServer(config);
    surviveDefects();
    announce(running);
    return running;
  } catch (error) {
    const isExplained = error instanceof ConfigError || error instanceof AtollError || isListenError(error);
    console.error(isExplained ? `atoll: ${error.message}` : error);
    process.exitCode = 1;
    return undefined;
  }
}

function announce({ url, loginUrl, newToken, model, sandboxes }: RunningServer): void {
  console.log(`Atoll is ready: ${url}/ui`);
  console.log(`API and docs:   ${url}/docs`);
  if (newToken !== undefined) console.log(`Token, shown this once: ${newToken}`);
  if (loginUrl !== undefined) console.log(`Open this once in a browser: ${loginUrl}`);
  console.log(
    model === "built-in"
      ? "Answers come from the built-in analyst. For a model, set OPENAI_API_KEY or ATOLL_MODEL in .env."
      : `Answers come from ${model}.`,
  );
  // A newcomer whose machine has neither bubblewrap nor Docker would else wonder where pandas and the shell are.
  if (sandboxes?.driver.name === "pyodide" && sandboxes.passedOver.length > 0)
    console.warn(
      `Sandboxes are plain Python in WebAssembly (runtime pyodide), without pandas and without a shell, since no other runtime can be used here. ${sandboxes.passedOver.join(". ")}.`,
    );
}

function endOnSignal(running: RunningServer): void {
  const end = async () => {
    // The second signal ends it at once.
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
    setTimeout(() => process.exit(1), graceMs).unref();
    console.log("atoll: ending; threads and their variables are kept");
    await running.close();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void end());
}

function isListenError(error: unknown): error is Error {
  return error instanceof Error && error.cause instanceof Error && "syscall" in error.cause;
}
