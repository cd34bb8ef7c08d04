import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildStatShim } from "./stat-shim-library.ts";

describe.runIf(process.platform === "linux" && process.arch === "x64")(
  "the library of statx and fstatat",
  () => {
    let folder = "";
    let env: Record<string, string> = {};
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "atoll-shim-"));
      await writeFile(join(folder, "shim.so"), buildStatShim());
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

    it("says of what is not there that it is not", async () => {
      await expect(run("stat", "absent")).rejects.toThrow("No such file or directory");
      const code = "import os; os.stat('absent', dir_fd=os.open('.', os.O_RDONLY))";
      await expect(run("python3", "-c", code)).rejects.toThrow("FileNotFoundError: [Errno 2]");
    });
  },
);
