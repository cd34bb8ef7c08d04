import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localDriver, type SandboxHandle } from "@atoll/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sourceOf } from "./denials/probe.ts";

const MiB = 1024 * 1024;
const count = Number(process.env["ATOLL_TEST_CROWD"] ?? 200);
const kinds = `
  processor, processor_by_threads, processes, memory, shared_memory, disk, names, descriptors, inotify, pipes,
  terminals, sockets, loopback, signals, output
`
  .trim()
  .split(/,\s+/);
const limits = { memoryBytes: 192 * MiB, diskBytes: 32 * MiB, processes: 48 };
const question =
  "import pandas as pd\nint(pd.DataFrame({'a': [1, 2, 3]}).a.sum()) + len(str(sum(range(20_000))))";

/**
 * The crowd is there at all times, so that what differs is the attack alone. Medians, and calm before and after,
 * because others use the machine too.
 */
describe(`a crowd of ${count} sandboxes, each attacking a limit`, async () => {
  const reason = await localDriver.unavailableBecause();
  let dataDir = "";
  let honest: SandboxHandle;
  const crowd: SandboxHandle[] = [];

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "atoll-crowd-"));
    honest = await localDriver.create({ dataDir });
    while (crowd.length < count) {
      const some = Math.min(8, count - crowd.length);
      crowd.push(
        ...(await Promise.all(Array.from({ length: some }, () => localDriver.create({ dataDir, limits })))),
      );
    }
  }, 600_000);
  afterAll(async () => {
    await Promise.all([honest, ...crowd].map((sandbox) => sandbox?.destroy().catch(() => undefined)));
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  }, 600_000);

  it.runIf(reason === undefined)(
    "does not slow an honest one by more than three times",
    async () => {
      await measure(honest, 20);
      const before = await measure(honest, 100);
      const enough = new AbortController();
      const attacks = crowd.map((sandbox, index) => {
        const begun = Promise.withResolvers<void>();
        const attack = async () => {
          const code = await sourceOf("attack", { kind: kinds[index % kinds.length] });
          // Refused, killed or timed out, it begins again: an attacker does not give up.
          const options = {
            timeoutMs: 30_000,
            signal: enough.signal,
            onStdout: () => begun.resolve(),
          };
          while (!enough.signal.aborted) await sandbox.python.run(code, options).catch(() => undefined);
        };
        return { begun: begun.promise, ended: attack() };
      });
      await Promise.all(attacks.map(({ begun }) => begun));
      const attacked = await measure(honest, 200);
      enough.abort();
      await Promise.all(attacks.map(({ ended }) => ended));
      const calm = Math.max(before, await measure(honest, 100));
      console.info(`median of a run: ${calm.toFixed(1)} ms calm, ${attacked.toFixed(1)} ms under attack`);
      expect(attacked).toBeLessThan(3 * calm);
    },
    900_000,
  );
});

async function measure(sandbox: SandboxHandle, runs: number): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    const { status, results } = await sandbox.python.run(question);
    times.push(performance.now() - start);
    expect([status, results[0]?.text]).toEqual(["ok", "15"]);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN;
}
