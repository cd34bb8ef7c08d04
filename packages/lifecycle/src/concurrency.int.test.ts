import type { Sandbox } from "@atoll/sandbox";
import { expect, it } from "vitest";
import { describeSandboxes, evaluate } from "../../../tests/support/lifecycle/sandbox-suite.ts";
import type { ThreadSandboxes } from "./contract.ts";

const THREADS = 3;
const STEPS = 20;

await describeSandboxes("concurrent calls", ({ open }) => {
  it("threads under concurrent calls lose nothing and have consistent checkpoints", async () => {
    const { sandboxes, changes, problems } = open({
      maxHot: 2,
      maxWarm: 1,
      warmAfterMs: 5,
      coldAfterMs: 50,
      checkpointBytes: 3_000_000,
    });
    await Promise.all(Array.from({ length: THREADS }, (_, n) => live(sandboxes, `busy-thread-${n}`, n + 1)));
    expect(problems).toEqual([]);
    expect((await sandboxes.jobs()).filter(({ lastError }) => lastError !== undefined)).toEqual([]);
    for (const change of ["→ warm", "→ cold", "cold → hot", "→ hot, branched"])
      expect(changes.some((seen) => seen.includes(change))).toBe(true);
  });
});

/** Counts in a variable and in a file. Both must always have the expected count. */
async function live(sandboxes: ThreadSandboxes, threadId: string, seed: number): Promise<void> {
  const next = drawNumbers(seed);
  const { sandbox } = await sandboxes.wake(threadId, {});
  await sandbox.python.run("n = 0; open('log', 'w').close()");
  let counted = 0;
  const taken: Promise<unknown>[] = [];
  const actions: (() => Promise<unknown>)[] = [
    async () => expect(await evaluate(sandbox, count)).toBe(String(++counted)),
    async () => expect(await evaluate(sandbox, count)).toBe(String(++counted)),
    async () => expect(await lines(sandbox)).toBe(counted),
    async () => void taken.push(sandboxes.checkpoint(threadId, `turn-${counted}`)),
    () => sandboxes.hibernate(threadId),
    () =>
      Promise.all([sandboxes.wake(threadId, {}), sandbox.files.list(), sandbox.files.write("other", "x")]),
    () => sandboxes.describe(threadId),
    () => new Promise((resolve) => setTimeout(resolve, next() % 100)),
  ];
  for (let step = 0; step < STEPS; step++) await actions[next() % actions.length]?.();
  await sandboxes.checkpoint(threadId, "turn-last");
  await Promise.all(taken);
  for (const { turnId } of (await sandboxes.checkpoints(threadId)).slice(-2)) {
    const branch = await sandboxes.branch(threadId, [turnId], `${threadId}-${turnId}`, {});
    const then = turnId === "turn-last" ? counted : Number(turnId.slice("turn-".length));
    expect(await evaluate(branch.sandbox, "n, sum(1 for _ in open('log'))")).toBe(`(${then}, ${then})`);
  }
}

const count = "n += 1; print(n, file=open('log', 'a')); n";

async function lines(sandbox: Sandbox): Promise<number> {
  return (await sandbox.files.readText("log")).split("\n").length - 1;
}

/** The same numbers in every run. */
function drawNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 16;
  };
}
