import type { SandboxHandle } from "@atoll/sandbox";
import type { Measure } from "../measure.ts";
import { evaluate } from "../python.ts";
import { interleave, timeMs } from "../rounds.ts";
import { SMALL_STATE, STATE_ANSWER, STATE_QUESTION } from "../small-state.ts";

/** Cold: the variables in a file and no process, and back. */
export const snapshot: Measure = {
  name: "snapshot",
  figures: [
    { key: "snapshot_ms", label: "snapshot, small state", unit: "ms" },
    { key: "restore_ms", label: "restore into a new kernel", unit: "ms" },
    { key: "reopen_ms", label: "create on kept files, restore, next result", unit: "ms" },
  ],
  async run(session) {
    let sandbox = await session.create();
    await evaluate(sandbox, SMALL_STATE);
    const samplers = {
      snapshot_ms: () => timeMs(() => sandbox.snapshot()),
      async restore_ms() {
        const tookMs = await timeMs(() => sandbox.restore());
        await check(sandbox);
        return tookMs;
      },
      async reopen_ms() {
        await session.destroy(sandbox, { keepFiles: true });
        return timeMs(async () => {
          sandbox = await session.create({ id: sandbox.id });
          await sandbox.restore();
          await check(sandbox);
        });
      },
    };
    const found = await interleave(samplers, {
      rounds: session.rounds(50),
      signal: session.signal,
      name: "snapshot",
    });
    await session.destroy(sandbox);
    return found;
  },
};

async function check(sandbox: SandboxHandle): Promise<void> {
  const found = await evaluate(sandbox, STATE_QUESTION);
  if (found !== STATE_ANSWER) throw new Error(`restored ${found} instead of ${STATE_ANSWER}`);
}
