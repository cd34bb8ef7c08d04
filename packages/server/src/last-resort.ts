import { AsyncLocalStorage } from "node:async_hooks";

interface Endable {
  destroy(): unknown;
}

/** Weak, since what lives on after a request, e.g. a sandbox's connection, keeps the storage of its making. */
const current = new AsyncLocalStorage<WeakRef<Endable>>();
const maxLogged = 20;
const windowMs = 60_000;
let count = 0;

/** All that the work starts, also from timers and events, belongs to it: a defect there ends this work only. */
export function runEndable<Result>(endable: Endable, work: () => Result): Result {
  return current.run(new WeakRef(endable), work);
}

/** Defects that were survived since the start, for the metrics. */
export function countDefects(): number {
  return count;
}

/**
 * Catches what nothing else caught: logs it, counts it, ends the work that it belongs to, and goes on, so that no client
 * and no sandbox can end the server. Only a lack of memory ends the process: going on would make it worse.
 * To be called once the server has started; until then a failure ends the process.
 */
export function surviveDefects(log: (...words: unknown[]) => void = console.error): void {
  let window = { endsAt: 0, logged: 0 };
  const survive = (error: unknown) => {
    count += 1;
    const endable = current.getStore()?.deref();
    if (isFatal(error)) {
      log("atoll: the server cannot go on:", error);
      process.exit(1);
    }
    const now = performance.now();
    if (now > window.endsAt) window = { endsAt: now + windowMs, logged: 0 };
    window.logged += 1;
    // A defect that a client can repeat must not fill the disk.
    if (window.logged <= maxLogged)
      log(`atoll: a defect, which ends ${endable ? "one request" : "nothing"}:`, error);
    if (window.logged === maxLogged) log("atoll: more defects within this minute are only counted");
    endQuietly(endable);
  };
  process.on("uncaughtException", survive);
  process.on("unhandledRejection", survive);
}

function endQuietly(endable: Endable | undefined): void {
  try {
    endable?.destroy();
  } catch {
    // It has ended already.
  }
}

/** By class and whole message: the words of an error may come from a sandbox. */
function isFatal(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 5) return false;
  if (error instanceof RangeError && error.message === "Array buffer allocation failed") return true;
  const { code } = error as { code?: unknown };
  return code === "ERR_MEMORY_ALLOCATION_FAILED" || isFatal(error.cause, depth + 1);
}
