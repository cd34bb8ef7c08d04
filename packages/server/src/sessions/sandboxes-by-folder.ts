import {
  type AdoptionResult,
  createThreadSandboxes,
  type JobQueue,
  type ThreadSandboxes,
  type ThreadSandboxesOptions,
} from "@atoll/lifecycle";
import { isTemporaryThread } from "../store/temporary-ids.ts";

/** Temporary threads may keep their files in a folder of their own, `temporary.dir`. */
export async function createSandboxes(
  options: ThreadSandboxesOptions,
  temporary: { dir: string; openQueue?: ((name: string) => Promise<JobQueue>) | undefined },
): Promise<ThreadSandboxes> {
  const lasting = createThreadSandboxes(options);
  if (temporary.dir === options.dataDir) return lasting;
  const { queue: _, ...others } = options;
  const queue = await temporary.openQueue?.("atoll-sessions");
  const apart = { ...others, dataDir: temporary.dir, queue };
  return joinFolders(lasting, createThreadSandboxes(apart));
}

/** Methods whose first argument is a thread: the folder of that thread answers. */
const PER_THREAD = [
  "wake",
  "state",
  "describe",
  "keepAwake",
  "updateNetwork",
  "hibernate",
  "remove",
  "release",
  "checkpoint",
  "hasNonPythonChanges",
  "checkpoints",
  "branch",
  "reviveJob",
] as const satisfies readonly (keyof ThreadSandboxes)[];

type PerThread = Pick<ThreadSandboxes, (typeof PER_THREAD)[number]>;

/** The sandboxes of both folders as if they were in one. */
function joinFolders(lasting: ThreadSandboxes, temporary: ThreadSandboxes): ThreadSandboxes {
  const both = [lasting, temporary];
  const forward =
    (name: string) =>
    (threadId: string, ...rest: unknown[]) => {
      const folder = isTemporaryThread(threadId) ? temporary : lasting;
      return (folder as unknown as Record<string, (...all: unknown[]) => unknown>)[name]?.(threadId, ...rest);
    };
  const join = async <Item>(ask: (each: ThreadSandboxes) => Promise<readonly Item[]>) =>
    (await Promise.all(both.map(ask))).flat();
  return {
    ...(Object.fromEntries(PER_THREAD.map((name) => [name, forward(name)])) as unknown as PerThread),
    list: () => join((each) => each.list()),
    jobs: () => join((each) => each.jobs()),
    async adopt(options) {
      const [one, other] = await Promise.all([lasting.adopt(options), temporary.adopt(options)]);
      return merge(one, other);
    },
    subscribe(listener) {
      const ends = both.map((each) => each.subscribe(listener));
      return () => ends.forEach((end) => end());
    },
    rescheduleTimers: () => both.forEach((each) => each.rescheduleTimers()),
    close: async () => void (await Promise.all(both.map((each) => each.close()))),
  };
}

function merge(one: AdoptionResult, other: AdoptionResult): AdoptionResult {
  return {
    joined: [...one.joined, ...other.joined],
    removed: [...one.removed, ...other.removed],
    spared: [...one.spared, ...other.spared],
  };
}
