import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");
const run = promisify(execFile);

describe("a machine whose Python has no packages at all", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "atoll-bare-"));
    const { python } = JSON.parse(await readFile(join(root, ".atoll/python.json"), "utf8")) as {
      python: string;
    };
    await run(python, ["-m", "venv", "--without-pip", join(folder, "venv")]);
  });
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));

  const atoll = async (code: string): Promise<{ stdout: string; stderr: string }> => {
    const env = {
      ...process.env,
      ATOLL_DATA_DIR: join(folder, "data"),
      ATOLL_PYTHON: join(folder, "venv/bin/python3"),
    };
    return run(process.execPath, [join(root, "packages/cli/src/main.ts"), "run", "-c", code], { env });
  };

  it("still runs code, shows values and waits at the top level", async () => {
    expect((await atoll("print('started'); 6 * 7")).stdout).toBe("started\n42\n");
    expect((await atoll("import asyncio\nawait asyncio.sleep(0, 'waited')")).stdout).toBe("'waited'\n");
  });

  it("still reports errors where they are", async () => {
    const failed = atoll("x = 1\nx / 0");
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/line 2[^]*x \/ 0[^]*ZeroDivisionError/),
    });
  });
});
