import {
  createSqliteQueue,
  createThreadSandboxes,
  type StateChange,
  type ThreadSandboxes,
} from "@atoll/lifecycle";
import type { Sandbox } from "@atoll/sandbox";
import { evaluate } from "./python.ts";
import { type Sampler, timeMs } from "./rounds.ts";
import { SMALL_STATE, STATE_ANSWER, STATE_QUESTION } from "./small-state.ts";

/** Threads of one runtime that rest and wake, through the controller with its locks, alarms and reports. */
export interface Wakes extends AsyncDisposable {
  readonly warmToHot: Sampler;
  /** Hot to cold; what `coldToHot` then wakes. */
  readonly rest: Sampler;
  readonly coldToHot: Sampler;
  /** Where further threads may live. */
  readonly sandboxes: ThreadSandboxes;
  open(threadId: string): Promise<Sandbox>;
}

const [coldId, warmId] = ["bench-cold-thread", "bench-warm-thread"];

export async function openWakes(place: { dataDir: string; runtime: string }): Promise<Wakes> {
  let onWarm = () => {};
  const onStateChange = (_: string, { to }: StateChange) => {
    if (to === "warm") onWarm();
  };
  const sandboxes = createThreadSandboxes(place);
  const queue = createSqliteQueue({ database: ":memory:" });
  const freezing = createThreadSandboxes({ ...place, queue, warmAfterMs: 1, onStateChange });
  // Alarms do not keep a process alive, and here nothing else does while one is waited for.
  const alive = setInterval(() => {}, 1000);
  const threads = new Set([coldId]);
  const close = async () => {
    clearInterval(alive);
    for (const id of threads) await sandboxes.remove(id);
    await freezing.remove(warmId);
    await sandboxes.close();
    await freezing.close();
  };
  try {
    const cold = await prepare(sandboxes, coldId);
    await prepare(freezing, warmId);
    return {
      sandboxes,
      async open(threadId) {
        threads.add(threadId);
        return prepare(sandboxes, threadId);
      },
      async warmToHot() {
        const frozen = new Promise<void>((resolve) => {
          onWarm = resolve;
        });
        await freezing.wake(warmId, {});
        await frozen;
        return timeMs(() => freezing.wake(warmId, {}));
      },
      rest: () => timeMs(() => sandboxes.hibernate(coldId)),
      coldToHot: () =>
        timeMs(async () => {
          await sandboxes.wake(coldId, {});
          await check(cold);
        }),
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function prepare(sandboxes: ThreadSandboxes, threadId: string): Promise<Sandbox> {
  const { sandbox } = await sandboxes.wake(threadId, {});
  await evaluate(sandbox, SMALL_STATE);
  await check(sandbox);
  return sandbox;
}

async function check(sandbox: Sandbox): Promise<void> {
  const found = await evaluate(sandbox, STATE_QUESTION);
  if (found !== STATE_ANSWER) throw new Error(`${found} came back instead of ${STATE_ANSWER}`);
}
