import { randomUUID } from "node:crypto";
import { evaluate, findOnHost, findSupervisor, type Suite } from "@atoll/sandbox/conformance";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Kernel } from "./kernels.ts";

/** The host waits two seconds for a guest; all else is a bound for slow machines. */
const hangMs = 60_000;

export function describeForcedEnd({ create, driver, dataDir }: Suite, kernel: Kernel): void {
  describe("staying alive:", () => {
    it.runIf(kernel === "linux")(
      "a sandbox whose first process hangs is ended from outside, with all it started",
      async () => {
        const sandbox = await create();
        const marker = `atoll-${randomUUID()}`;
        await sandbox.commands.spawn(["sh", "-c", "sleep 1000; true", marker]);
        await expect.poll(() => findOnHost(marker), { timeout: hangMs }).not.toEqual([]);
        await hang(await findSupervisor(sandbox));
        await sandbox.destroy();
        await expect.poll(() => findOnHost(marker), { timeout: hangMs }).toEqual([]);
        expect(await driver.list({ dataDir: dataDir(), ids: [sandbox.id] })).toEqual([]);
      },
      hangMs,
    );

    it.runIf(kernel === "linux")(
      "its files can be kept, and a new sandbox finds them",
      async () => {
        const sandbox = await create();
        await sandbox.files.write("kept.txt", "kept");
        await hang(await findSupervisor(sandbox));
        await sandbox.destroy({ keepFiles: true });
        const next = await create({ id: sandbox.id });
        expect(await next.files.readText("kept.txt")).toBe("kept");
      },
      hangMs,
    );

    it.runIf(kernel === "linux")(
      "a run in a sandbox that hangs fails once it is stopped",
      async () => {
        const sandbox = await create();
        const stop = new AbortController();
        const first = await findSupervisor(sandbox);
        const started = Promise.withResolvers<void>();
        const run = sandbox.python.run("print(1, flush=True)\nwhile True: pass", {
          signal: stop.signal,
          onStdout: () => started.resolve(),
        });
        await started.promise;
        await hang(first);
        stop.abort();
        await expect(run).rejects.toMatchObject({ code: "timeout" });
        await sandbox.destroy();
      },
      hangMs,
    );

    it(
      "200 processes that spin, and would starve the first one, keep no run from its time limit and no end from coming",
      async () => {
        const sandbox = await create({ limits: { processes: 256 } });
        const run = await sandbox.python.run(starve, { timeoutMs: 3000 });
        expect(run.status).toBe("timeout");
        await sandbox.destroy();
      },
      hangMs,
    );

    it(
      "files without end, in which artifacts are looked for, keep no run from its time limit",
      async () => {
        const sandbox = await create();
        const run = await sandbox.python.run(sparse, { timeoutMs: 8000 });
        expect(run.status).toBe("ok");
        expect(run.artifacts.map(({ path }) => path)).toContain("/workspace/report.txt");
        expect(run.notices.join(" ")).toContain("artifacts may be missing");
        expect(await evaluate(sandbox, "1 + 1")).toBe("2");
      },
      hangMs,
    );

    it(
      "a worker that looks for artifacts and is stopped keeps no run from its time limit",
      async () => {
        const sandbox = await create();
        await sandbox.commands.spawn(["python3", "-c", stopWorkers]);
        const run = await sandbox.python.run(sparse, { timeoutMs: 2000 });
        expect(["ok", "timeout"]).toContain(run.status);
        await sandbox.destroy();
      },
      hangMs,
    );

    it("a program may still give way itself", async () => {
      const sandbox = await create();
      expect(
        await evaluate(sandbox, "import os; os.sched_setaffinity(0, os.sched_getaffinity(0)); os.nice(1)"),
      ).toBe("1");
    });
  });
}

/** As one that waits for ever: it answers nobody. */
async function hang(pid: number): Promise<void> {
  process.kill(pid, "SIGSTOP");
  onTestFinished(() => {
    try {
      process.kill(pid, "SIGCONT");
    } catch {
      // It has ended, as it must.
    }
  });
}

const sparse = `
for number in range(200):
    with open(f"sparse-{number}", "wb") as file:
        file.truncate(1 << 28)
with open("report.txt", "w") as file:
    file.write("done")
`;

/** Every child of process 1 but itself. */
const stopWorkers = `
import os, signal
while True:
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) not in (1, os.getpid()):
            try:
                with open(f"/proc/{name}/stat") as file:
                    text = file.read()
                if text.rpartition(")")[2].split()[1] == "1" and "atoll-guest" in text:
                    os.kill(int(name), signal.SIGSTOP)
            except OSError:
                pass
`;

const starve = `
import os
def attempt(work):
    try:
        work()
    except OSError:
        pass
attempt(lambda: os.setpriority(os.PRIO_PROCESS, 1, 19))
attempt(lambda: os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0)))
for _ in range(200):
    if os.fork() == 0:
        while True: pass
while True: pass
`;
