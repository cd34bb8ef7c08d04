import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Metrics } from "@atoll/sandbox";
import { evaluate, type Suite } from "@atoll/sandbox/conformance";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Kernel } from "./kernels.ts";
import { sourceOf } from "./probe.ts";

const MiB = 1024 * 1024;

interface Hoard {
  readonly what: string;
  readonly kind: string;
  readonly limits: { memoryBytes?: number; processes?: number; diskBytes?: number };
  readonly step: number;
  readonly measure: (metrics: Metrics) => number;
  /**
   * How much of the limit may be had besides. Disk is watched, so that a writer is a few looks ahead of the watch: the
   * same number of bytes whatever the limit is, hence a large one.
   */
  readonly slack: number;
}

const memory = {
  limits: { memoryBytes: 256 * MiB },
  step: 64 * MiB,
  measure: (metrics: Metrics) => metrics.memoryBytes,
  slack: 0.1,
};
const disk = {
  limits: { diskBytes: 128 * MiB },
  step: 2 * MiB,
  measure: (metrics: Metrics) => metrics.diskBytes,
  slack: 0.5,
};

const hoards: readonly Hoard[] = [
  { what: "memory of many processes together", kind: "memory_in_children", ...memory },
  { what: "memory in files without a name", kind: "memory_files", ...memory },
  { what: "memory shared between processes", kind: "shared_memory", ...memory },
  {
    what: "processes",
    kind: "processes",
    limits: { processes: 40 },
    step: 1,
    measure: (metrics) => metrics.processes,
    slack: 0.1,
  },
  { what: "disk", kind: "disk", ...disk },
  { what: "disk in files already deleted", kind: "deleted_files", ...disk },
];

export function describeLimitDenials({ create }: Suite, kernel: Kernel): void {
  describe("having more than its limit:", () => {
    // gVisor does not show which open files have no name left; without a system there are only the interpreter's files.
    const countable = hoards.filter(({ kind }) =>
      kernel === "none" ? /disk|deleted_files/.test(kind) : kernel === "linux" || kind !== "deleted_files",
    );
    it.each(countable)("$what", async ({ kind, limits, step, measure, slack }) => {
      const sandbox = await create({ limits });
      const limit = Object.values(limits)[0] ?? 0;
      const told = Promise.withResolvers<void>();
      let output = "";
      const run = sandbox.python.run(await sourceOf("hoard", { kind, limit, step }), {
        timeoutMs: 15_000,
        onStdout: (text) => {
          output += text;
          if (output.includes("held")) told.resolve();
        },
      });
      await Promise.race([told.promise, run]);
      // However much it claims to hold, the sandbox is within its limit or is brought back to it.
      await vi.waitFor(
        async () => expect(measure(await sandbox.metrics())).toBeLessThanOrEqual(limit * (1 + slack)),
        90_000,
      );
      // The program ends by itself only while it holds no more than the limit.
      expect(["ok", "error", "killed"], output).toContain((await run).status);
      await sandbox.python.restart();
      expect(await evaluate(sandbox, "1 + 1")).toBe("2");
    });

    it.runIf(kernel === "linux")("disk, while others free more than it writes", async () => {
      const { diskBytes: limit } = disk.limits;
      const sandbox = await create({ limits: disk.limits });
      const folder = await mkdtemp(join(tmpdir(), "atoll-freed-"));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      await promisify(execFile)("fallocate", ["-l", String(limit * 8), join(folder, "large")]);
      const run = sandbox.python.run(await sourceOf("hoard", { kind: "disk", limit, step: disk.step }));
      await vi.waitFor(async () => expect(await sandbox.files.exists("hoard-3")).toBe(true), 90_000);
      await rm(join(folder, "large"));
      expect((await run).status).not.toBe("timeout");
      expect((await sandbox.metrics()).diskBytes).toBeLessThanOrEqual(limit * (1 + disk.slack));
    });

    describe.runIf(kernel === "linux")("memory in sockets that nobody reads:", () => {
      it.each(["connections", "datagrams"])("%s", async (kind) => {
        const { memoryBytes: limit } = memory.limits;
        const sandbox = await create({ limits: memory.limits });
        const run = await sandbox.python.run(
          await sourceOf("fill_sockets", { kind, most: limit, bearable: limit / 2 }),
          { timeoutMs: 50_000 },
        );
        // The kernel refuses more, or the watch ends what has taken too much and keeps it.
        if (run.status === "ok") expect(Number(run.stdout)).toBeLessThan(limit / 2);
        else expect(run.status).toBe("killed");
        expect(await evaluate(sandbox, "1 + 1")).toBe("2");
      });
    });

    // Nothing here asks the sandbox how much it has before its end: that would be a look of its own.
    describe.runIf(kernel === "linux")("disk, after the run that began it,", () => {
      it.each(["process", "thread"])("by a %s", async (kind) => {
        const sandbox = await create({ limits: disk.limits });
        const { diskBytes: limit } = disk.limits;
        const run = await sandbox.python.run(
          await sourceOf("hoard_later", { kind, limit, step: disk.step, sign: "writing" }),
        );
        expect(run).toMatchObject({ status: "ok" });
        await vi.waitFor(async () => expect(await sandbox.files.exists("writing")).toBe(false), 90_000);
        expect((await sandbox.metrics()).diskBytes).toBeLessThanOrEqual(limit * 2);
      });
    });
  });
}
