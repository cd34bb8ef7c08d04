import { beforeEach, describe, expect, it } from "vitest";
import { MIN_OPEN_FILES } from "@atoll/protocol";
import type { RunResult } from "../../contract/python.ts";
import { evaluate, evaluateJson, py } from "../run-code.ts";
import { expectRefusals, refusal, type Suite } from "../suite.ts";

const MiB = 1024 * 1024;

/** Time and output have their own tests. A driver without isolation shares the host's disk and process table. */
export function describeLimits({ driver, create, share, dataDir }: Suite): void {
  const { isolation, memoryLimit, shell } = driver.capabilities;

  describe.runIf(memoryLimit === "none")("a limit of memory", () => {
    it("is refused", async () => {
      await expect(create({ limits: { memoryBytes: 256 * MiB } })).rejects.toMatchObject(
        refusal("not_supported"),
      );
    });
  });

  describe.runIf(memoryLimit !== "none")("a limit of memory", () => {
    const shared = share({ limits: { memoryBytes: 256 * MiB } });
    beforeEach(() => shared().python.restart());

    it("stops one that takes too much", async () => {
      const sandbox = shared();
      expectMemoryStop(await sandbox.python.run("hoard = [bytearray(b'x') * (32 << 20) for _ in range(32)]"));
      expect(await evaluate(sandbox, "1 + 1")).toBe("2");
    });

    it("leaves what fits alone", async () => {
      const sandbox = shared();
      expect(await evaluate(sandbox, "len(bytearray(b'x') * (96 << 20)) >> 20")).toBe("96");
    });

    it.runIf(shell)("stops a command too", async () => {
      const sandbox = shared();
      const code = "x = [bytearray(b'x') * (32 << 20) for _ in range(32)]";
      const result = await sandbox.commands.run(["python3", "-c", code]);
      expect(["error", "killed"]).toContain(result.status);
      expect(`${result.stderr} ${result.notices.join()}`).toMatch(/memory/i);
      expect(await evaluate(sandbox, "1 + 1")).toBe("2");
    });
  });

  describe("limits", () => {
    const shared = share({ limits: { fileSizeBytes: MiB, openFiles: 64, tmpBytes: MiB / 2 } });
    beforeEach(() => shared().python.restart());

    // Processor time is what can be held against a limit on a machine of any speed: it is never more than its share.
    it.runIf(isolation)("of processors slow down what wants more", async ({ skip }) => {
      const sandbox = await create({ limits: { cpus: 0.2 } });
      const { memoryLimit: means } = sandbox.info.capabilities;
      skip(means !== "cgroup", "this machine gives no control groups, which alone can limit processors");
      const code = `import time
start, used = time.monotonic(), time.process_time()
while time.monotonic() - start < 1: pass
(time.process_time() - used) / (time.monotonic() - start)`;
      expect(Number(await evaluate(sandbox, code))).toBeLessThan(0.4);
    });

    it.runIf(isolation && shell)("of processes stop one more", async () => {
      const sandbox = await create({ limits: { processes: 48 } });
      const { started, error } = await evaluateJson<{ started: number; error: string }>(
        sandbox,
        startTooMany,
      );
      expect(started).toBeGreaterThan(10);
      expect(started).toBeLessThan(48);
      expect(error).toBe("BlockingIOError");
      expect((await sandbox.commands.run("echo usable")).stdout).toBe("usable\n");
      expect(await evaluate(sandbox, "1 + 1")).toBe("2");
    });

    it("of a file's size stop one that grows past it", async () => {
      const sandbox = shared();
      const result = await sandbox.python.run("with open('large', 'wb') as f: f.write(bytes(2 << 20))");
      expect(result).toMatchObject({
        status: "error",
        error: { name: "OSError", value: expect.stringMatching(/too large/i) },
      });
      await expectRefusals("too_large", [
        sandbox.files.write("large-text", "x".repeat(2 * MiB)),
        sandbox.files.write("large-stream", new Blob(["x".repeat(2 * MiB)]).stream()),
      ]);
      expect(await sandbox.files.exists("large-stream")).toBe(false);
      await sandbox.files.write("small", "x".repeat(MiB - 1));
    });

    it.runIf(isolation)("of the disk stop what fills it, and end when there is room again", async () => {
      const sandbox = await create({ limits: { diskBytes: 24 * MiB } });
      const result = await sandbox.python.run(fillDisk);
      expect(["error", "killed"]).toContain(result.status);
      expect(`${result.error?.value} ${result.notices.join()}`).toMatch(/No space left|quota|disk/i);
      await expect(sandbox.files.write("more", "x".repeat(26 * MiB))).rejects.toMatchObject(
        refusal("disk_full"),
      );
      await sandbox.files.remove("filler");
      await sandbox.files.write("fits", "x".repeat(MiB));
      expect(await evaluate(sandbox, "len(open('fits').read()) >> 20")).toBe("1");
    });

    it.runIf(isolation)("of the disk say why nothing can be written, until a run makes room", async () => {
      const sandbox = await create({ limits: { diskBytes: 24 * MiB } });
      await sandbox.python.run(fillDisk);
      const refused = await sandbox.python.run("with open('more', 'wb') as f: f.write(bytes(2 << 20))");
      expect(refused.status).toBe("error");
      expect(`${refused.error?.value} ${refused.notices.join()}`).toMatch(
        /No space left|disk limit of 24 MiB .* until files are removed/,
      );
      expect(await sandbox.python.run(makeRoom)).toMatchObject({ status: "ok", notices: [] });
      expect(await sandbox.files.readText("more")).toBe("x");
    });

    it("of open files stop one more", async () => {
      const sandbox = shared();
      const result = await sandbox.python.run("held = [open('/dev/null') for _ in range(100)]");
      expect(result).toMatchObject({
        status: "error",
        error: { name: "OSError", value: expect.stringMatching(/too many open files|no file descriptors/i) },
      });
      expect(await evaluate(sandbox, "1 + 1")).toBe("2");
      await sandbox.files.write("usable", "yes");
    });

    it.runIf(shell)("of open files hold for every command and every kernel", async () => {
      const sandbox = shared();
      const count = "import resource; print(resource.getrlimit(resource.RLIMIT_NOFILE))";
      expect((await sandbox.commands.run("ulimit -n; ulimit -Hn")).stdout).toBe("64\n64\n");
      expect((await sandbox.commands.run(["python3", "-c", count])).stdout).toBe("(64, 64)\n");
      expect((await sandbox.python.run(count)).stdout).toBe("(64, 64)\n");
      const { name: context } = await sandbox.python.createContext();
      expect((await sandbox.python.run(count, { context })).stdout).toBe("(64, 64)\n");
      await sandbox.python.removeContext(context);
    });

    it.runIf(driver.capabilities.attach)("of open files are not those of the sandbox's clients", async () => {
      const sandbox = await create({ limits: { openFiles: MIN_OPEN_FILES } });
      const attach = () => driver.attach(sandbox.id, { dataDir: dataDir() });
      const handles = await Promise.all(Array.from({ length: 2 * MIN_OPEN_FILES }, attach));
      const texts = await Promise.all(handles.map((handle, index) => evaluate(handle, `${index}`)));
      expect(texts).toEqual(handles.map((_, index) => `${index}`));
      await Promise.all(handles.map((handle) => handle.detach()));
    });

    it("of open files that let nothing start are refused", async () => {
      await expect(create({ limits: { openFiles: MIN_OPEN_FILES - 1 } })).rejects.toMatchObject(
        refusal("invalid_argument"),
      );
    });

    it.runIf(isolation).each(["/tmp", "/dev/shm"])(
      "of scratch space at %s stop what fills it",
      async (folder) => {
        const sandbox = shared();
        const result = await sandbox.python.run(
          `with open(${py(`${folder}/large`)}, 'wb') as f: f.write(bytes(768 << 10))`,
        );
        expect(result).toMatchObject({
          status: "error",
          error: { name: "OSError", value: expect.stringMatching(/no space left/i) },
        });
        expect(await evaluate(sandbox, "1 + 1")).toBe("2");
      },
    );
  });
}

/** Either Python is told in time, or the kernel dies and a notice says why. */
export function expectMemoryStop(result: RunResult): void {
  if (result.status === "error") return expect(result.error?.name).toMatch(/^(Memory|Overflow)Error$/);
  expect(result).toMatchObject({ status: "killed", kernelRestarted: true });
  expect(result.notices.join()).toMatch(/memory/i);
}

const startTooMany = `
import json, subprocess
children, error = [], None
try:
    while len(children) < 200: children.append(subprocess.Popen(["sleep", "1000"]))
except OSError as refused:
    error = type(refused).__name__
for child in children: child.kill()
for child in children: child.wait()
print(json.dumps({"started": len(children), "error": error}))
`;

/** Stops far past any limit a test sets. */
/** That there is room is seen a moment after the removal. */
const makeRoom = `
import shutil, time
shutil.rmtree("filler")
while True:
    try:
        with open("more", "w") as f:
            f.write("x")
        break
    except OSError:
        time.sleep(0.01)
`;

export const fillDisk = `
import os
os.makedirs("filler", exist_ok=True)
for n in range(256):
    with open(f"filler/{n}", "wb") as f:
        f.write(os.urandom(1 << 20))
        f.flush()
        os.fsync(f.fileno())
`;
