import { AsyncLocalStorage } from "node:async_hooks";
import { writeSync } from "node:fs";
import { inspect } from "node:util";

/** What ends the connection whose peer made playwright fail. */
type End = (error: Error) => void;

const current = new AsyncLocalStorage<End>();
const open = new Set<End>();

/**
 * Playwright trusts its peer: an event that it does not understand is thrown in a promise without a handler, which
 * would end the process. Whatever follows from `work` and fails like that ends its connection instead.
 */
export function ownFaults(end: End): { run(work: () => void): void; release(): void } {
  if (open.size === 0) install();
  open.add(end);
  return {
    run: (work) => current.run(end, work),
    release: () => void open.delete(end),
  };
}

let isInstalled = false;

/** For good: something may still fail after the last connection is closed. */
function install(): void {
  if (isInstalled) return;
  isInstalled = true;
  process.on("unhandledRejection", onRejection);
  process.on("uncaughtException", onException);
}

function onRejection(reason: unknown): void {
  if (isTaken(reason) || process.listenerCount("unhandledRejection") > 1) return;
  // As if this listener were not there.
  throw reason;
}

function onException(error: unknown): void {
  if (isTaken(error) || process.listenerCount("uncaughtException") > 1) return;
  writeSync(2, `Uncaught ${inspect(error)}\n`);
  process.exit(1);
}

/** Ends all connections if it is unknown which one failed. */
function isTaken(reason: unknown): boolean {
  const end = current.getStore();
  const error = reason instanceof Error ? reason : new Error(String(reason));
  if (!end && !error.stack?.includes("/playwright-core/")) return false;
  for (const each of end ? [end] : open) each(error);
  return true;
}
