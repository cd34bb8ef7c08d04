import { stat } from "node:fs/promises";
import { evaluate, runOk, type Suite } from "@atoll/sandbox/conformance";
import { describe, expect, it, vi } from "vitest";
import { sourceOf } from "./probe.ts";

const MiB = 1024 * 1024;
const limit = 64 * MiB;

/** How each goes on, how much it wants, and how much of that it may get: the watch is late by what is written meanwhile. */
const ways = [
  {
    how: "by raising its own limit again",
    kind: "raised_limit",
    step: 2 * MiB,
    most: 16 * limit,
    allowed: 8 * limit,
  },
  {
    how: "by filling holes of a mapped file",
    kind: "map",
    step: 2 * MiB,
    most: 16 * limit,
    allowed: 8 * limit,
  },
  { how: "by links", kind: "links", step: 1, most: 2_000_000, allowed: 600_000 },
  { how: "by empty files", kind: "empty_files", step: 1, most: 2_000_000, allowed: 600_000 },
  { how: "by symbolic links", kind: "symbolic_links", step: 1, most: 2_000_000, allowed: 600_000 },
];

export function describeDiskDenials({ create }: Suite): void {
  describe("growing past the disk limit:", () => {
    it.each(ways)("$how", async ({ kind, step, most, allowed }) => {
      const sandbox = await create({ limits: { diskBytes: limit } });
      await sandbox.python.run(await sourceOf("grow_on", { kind, most, step, folder: "/workspace/grown" }));
      // Nothing but the supervisor and the kernel is left. Nothing here asks how much there is before all is over: that would be a look of its own.
      await vi.waitFor(async () => expect((await sandbox.processes.list()).length).toBeLessThanOrEqual(2), {
        timeout: 100_000,
        interval: 200,
      });
      const measure = `
import os
sum(${step === 1 ? "1" : "os.lstat(f'grown/{name}').st_blocks * 512"} for name in os.listdir('grown'))`;
      await sandbox.python.restart();
      expect(Number(await evaluate(sandbox, measure))).toBeLessThan(allowed);
      await runOk(sandbox, "import shutil; shutil.rmtree('grown')");
      await vi.waitFor(async () => runOk(sandbox, "open('fits', 'w').write('x')"), 50_000);
    });

    it("by files of nothing but length, when a run's files are kept on the host", async () => {
      const sandbox = await create({ mode: "ephemeral", limits: { diskBytes: 8 * MiB } });
      const result = await sandbox.python.run(`
for name in ("a.bin", "b.bin", "c.bin"):
    with open(f"/work/artifacts/{name}", "wb") as file:
        file.truncate(${6 * MiB})
`);
      const kept = Object.values(result.artifactMap ?? {});
      const sizes = await Promise.all(kept.map(async (path) => (await stat(path)).size));
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(8 * MiB);
      expect(result.notices.join()).toContain("diskBytes");
    });

    it("in the folder of an ephemeral run", async () => {
      const sandbox = await create({ mode: "ephemeral", limits: { diskBytes: 32 * MiB } });
      const result = await sandbox.python.run(
        `
import os, time
for number in range(200):
    with open(f"/work/{number}", "wb") as file:
        file.write(os.urandom(${2 * MiB}))
    time.sleep(0.05)
`,
        { timeoutMs: 60_000 },
      );
      expect(result.status).not.toBe("ok");
      expect(result.notices.join()).toContain("diskBytes");
    });
  });
}
