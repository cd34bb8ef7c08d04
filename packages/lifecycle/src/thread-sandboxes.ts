import { Sandbox, type SandboxHandle } from "@atoll/sandbox";
import type { ThreadSandboxes, WakeOptions, Woken } from "./contract.ts";
import { Idleness } from "./idleness.ts";
import { Turnstile } from "./turnstile.ts";
import { openSandbox, restSandbox } from "./waking.ts";

export interface ThreadSandboxesOptions {
  dataDir: string;
  runtime?: string;
  /** An unused sandbox rests after this time. */
  restAfterMs?: number;
  /** What went wrong where nobody waits for an answer. */
  onProblem?: (threadId: string, error: unknown) => void;
}

const defaultRestAfterMs = 900_000;

export function createThreadSandboxes(options: ThreadSandboxesOptions): ThreadSandboxes {
  const { dataDir, runtime, restAfterMs = defaultRestAfterMs, onProblem = () => {} } = options;
  const handles = new Map<string, SandboxHandle>();
  const turnstile = new Turnstile();
  const waking = new Map<string, Promise<Woken>>();
  const place = { dataDir, ...(runtime === undefined ? {} : { runtime }) };

  const wake = async (threadId: string, given: WakeOptions): Promise<Woken> => {
    const startMs = performance.now();
    const handle = handles.get(threadId);
    idleness.touch(threadId);
    if (handle && (await handle.state()) === "running") {
      const wakeMs = performance.now() - startMs;
      return { sandbox: handle.restricted(), from: "hot", wakeMs, isFresh: false, lost: [] };
    }
    handles.delete(threadId);
    const opened = await openSandbox(threadId, { ...given, ...place });
    handles.set(threadId, opened.handle);
    const { from, isFresh, lost } = opened;
    return {
      sandbox: opened.handle.restricted(),
      from,
      wakeMs: performance.now() - startMs,
      isFresh,
      lost,
    };
  };

  const restNow = async (threadId: string): Promise<void> => {
    const handle = handles.get(threadId);
    if (!handle) return;
    await restSandbox(handle);
    handles.delete(threadId);
    idleness.forget(threadId);
  };
  const rest = (threadId: string) => turnstile.pass(threadId, () => restNow(threadId));

  const restIfIdle = async (threadId: string): Promise<void> => {
    const handle = handles.get(threadId);
    if (!handle || !idleness.isIdle(threadId)) return;
    if (await isAtWork(handle)) idleness.touch(threadId);
    else await restNow(threadId);
  };
  const idleness = new Idleness({
    afterMs: restAfterMs,
    onIdle: (threadId) => turnstile.pass(threadId, () => restIfIdle(threadId)),
    onProblem,
  });

  return {
    wake(threadId, given) {
      const known = waking.get(threadId);
      if (known) return known;
      const woken = turnstile.pass(threadId, () => wake(threadId, given));
      waking.set(threadId, woken);
      const forget = () => waking.delete(threadId);
      woken.then(forget, forget);
      return woken;
    },
    state: (threadId) => (handles.has(threadId) ? "hot" : "cold"),
    living: (threadId) => handles.get(threadId)?.restricted(),
    keepAwake: (threadId) => idleness.hold(threadId),
    rest,
    remove: (threadId) =>
      turnstile.pass(threadId, async () => {
        idleness.forget(threadId);
        const handle = handles.get(threadId) ?? (await findHandle(threadId, place));
        await handle?.destroy();
        handles.delete(threadId);
      }),
    async close() {
      idleness.close();
      const restOrTell = (threadId: string) => rest(threadId).catch((error) => onProblem(threadId, error));
      await Promise.all([...handles.keys()].map(restOrTell));
    },
  };
}

/** Something runs in it that nobody may be waiting for at the moment. */
async function isAtWork(handle: SandboxHandle): Promise<boolean> {
  const [contexts, commands] = await Promise.all([handle.python.contexts(), handle.commands.list()]);
  return contexts.some(({ isBusy }) => isBusy) || commands.some(({ isRunning }) => isRunning);
}

/** A sandbox that is at rest is opened to be removed: its driver knows where its files are. */
async function findHandle(threadId: string, place: { dataDir: string; runtime?: string }) {
  const known = (await Sandbox.list(place)).some(({ id }) => id === threadId);
  return known ? (await openSandbox(threadId, { ...place, isForRemoval: true })).handle : undefined;
}
