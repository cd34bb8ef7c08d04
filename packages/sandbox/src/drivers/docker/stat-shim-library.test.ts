import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildStatShim } from "./stat-shim-library.ts";

describe.runIf(process.platform === "linux" && process.arch === "x64")(
  "the library of statx and fstatat",
  () => {
    let folder = "";
    let env: Record<string, string> = {};
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "atoll-shim-"));
      await writeFile(join(folder, "shim.so"), buildStatShim());
    });
    beforeEach(() => {
      env = { LD_PRELOAD: join(folder, "shim.so"), LC_ALL: "C", PATH: process.env["PATH"] ?? "" };
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));
    const run = async (program: string, ...args: string[]) =>
      promisify(execFile)(program, args, { env, cwd: folder });

    it("is loaded without a word, and tells what is there", async () => {
      await writeFile(join(folder, "file"), "12345");
      expect(await run("stat", "--format", "%n %s", "file")).toEqual({ stdout: "file 5\n", stderr: "" });
      const code = "import os; print(os.stat('file', dir_fd=os.open('.', os.O_RDONLY)).st_size)";
      expect(await run("python3", "-c", code)).toEqual({ stdout: "5\n", stderr: "" });
    });

    it("leaves out the flag that gVisor refuses, so that ls works there", async () => {
      await writeFile(join(folder, "file"), "12345");
      const inGvisor = (...args: string[]) => run("python3", "-c", refuseFlag, ...args);
      const byName =
        "import ctypes; print(ctypes.CDLL(None).fstatat(-100, b'file', ctypes.create_string_buffer(144), 0x800))";
      expect((await inGvisor("ls", "-l", "file")).stdout).toContain(" 5 ");
      expect((await inGvisor("python3", "-c", byName)).stdout).toBe("0\n");
      // The filter does refuse it.
      env = { ...env, LD_PRELOAD: "" };
      await expect(inGvisor("ls", "-l", "file")).rejects.toThrow("Invalid argument");
      expect((await inGvisor("python3", "-c", byName)).stdout).toBe("-1\n");
    });

    it("says of what is not there that it is not", async () => {
      await expect(run("stat", "absent")).rejects.toThrow("No such file or directory");
      const code = "import os; os.stat('absent', dir_fd=os.open('.', os.O_RDONLY))";
      await expect(run("python3", "-c", code)).rejects.toThrow("FileNotFoundError: [Errno 2]");
    });
  },
);

/** Runs a program under a filter that answers as gVisor does: EINVAL to `statx` and `newfstatat` with AT_NO_AUTOMOUNT. */
const refuseFlag = `
import ctypes, os, struct, sys
LOAD, EQUAL, HAS, RETURN = 0x20, 0x15, 0x45, 0x06
STATX, NEWFSTATAT, AT_NO_AUTOMOUNT = 332, 262, 0x800
ALLOW, INVALID = 0x7FFF0000, 0x00050000 | 22
lines = [
    (LOAD, 0, 0, 0), (EQUAL, 0, 3, STATX), (LOAD, 0, 0, 32), (HAS, 4, 0, AT_NO_AUTOMOUNT), (RETURN, 0, 0, ALLOW),
    (EQUAL, 0, 3, NEWFSTATAT), (LOAD, 0, 0, 40), (HAS, 0, 1, AT_NO_AUTOMOUNT), (RETURN, 0, 0, INVALID), (RETURN, 0, 0, ALLOW),
]
code = ctypes.create_string_buffer(b"".join(struct.pack("<HBBI", *line) for line in lines))
program = struct.pack("@HP", len(lines), ctypes.addressof(code))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, program, 0, 0) == 0, os.strerror(ctypes.get_errno())
os.execvp(sys.argv[1], sys.argv[1:])
`;
