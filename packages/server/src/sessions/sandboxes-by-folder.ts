import {
  type Adopted,
  createThreadSandboxes,
  type JobQueue,
  type ThreadSandboxes,
  type ThreadSandboxesOptions,
} from "@atoll/lifecycle";
import { isTemporaryThread } from "../store/temporary-ids.ts";

/** `dir`: where temporary threads keep their files, which may be where all do. */
export async function createSandboxes(
  options: ThreadSandboxesOptions,
  temporary: { dir: string; openQueue?: ((name: string) => Promise<JobQueue>) | undefined },
): Promise<ThreadSandboxes> {
  const lasting = createThreadSandboxes(options);
  if (temporary.dir === options.dataDir) return lasting;
  const { queue: _, ...others } = options;
  const queue = await temporary.openQueue?.("atoll-sessions");
  const apart = { ...others, dataDir: temporary.dir, queue };
  return divideSandboxes(lasting, createThreadSandboxes(apart));
}

/** Sandboxes of temporary threads in a place of their own, and of all others, as if they were in one. */
function divideSandboxes(lasting: ThreadSandboxes, temporary: ThreadSandboxes): ThreadSandboxes {
  const both = [lasting, temporary];
  const of = (threadId: string) => (isTemporaryThread(threadId) ? temporary : lasting);
  const join = async <Item>(ask: (each: ThreadSandboxes) => Promise<readonly Item[]>) =>
    (await Promise.all(both.map(ask))).flat();
  return {
    wake: (id, options) => of(id).wake(id, options),
    state: (id) => of(id).state(id),
    describe: (id) => of(id).describe(id),
    list: () => join((each) => each.list()),
    living: (id) => of(id).living(id),
    keepAwake: (id) => of(id).keepAwake(id),
    renewNetwork: (id) => of(id).renewNetwork(id),
    rest: (id) => of(id).rest(id),
    remove: (id) => of(id).remove(id),
    letGo: (id) => of(id).letGo(id),
    checkpoint: (id, turnId) => of(id).checkpoint(id, turnId),
    isTouched: (id) => of(id).isTouched(id),
    checkpoints: (id) => of(id).checkpoints(id),
    branch: (id, turnIds, newId, options) => of(id).branch(id, turnIds, newId, options),
    async adopt(options) {
      const [one, other] = await Promise.all([lasting.adopt(options), temporary.adopt(options)]);
      return merge(one, other);
    },
    subscribe(listener) {
      const ends = both.map((each) => each.subscribe(listener));
      return () => ends.forEach((end) => end());
    },
    renewAlarms: () => both.forEach((each) => each.renewAlarms()),
    jobs: () => join((each) => each.jobs()),
    reviveJob: (id, kind) => of(id).reviveJob(id, kind),
    close: async () => void (await Promise.all(both.map((each) => each.close()))),
  };
}

function merge(one: Adopted, other: Adopted): Adopted {
  return {
    joined: [...one.joined, ...other.joined],
    removed: [...one.removed, ...other.removed],
    spared: [...one.spared, ...other.spared],
  };
}
