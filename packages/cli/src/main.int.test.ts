import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const main = join(import.meta.dirname, "main.ts");

describe("the atoll command", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "atoll-cli-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));

  const atoll = async (args: string[], input = "", dataDir = "data") => {
    const env = { ...process.env, ATOLL_DATA_DIR: join(folder, dataDir) };
    const child = spawn(process.execPath, [main, ...args], { env, cwd: folder });
    child.stdin.end(input);
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { stdout, stderr, code };
  };

  it("runs code from an option, from standard input and from a file", async () => {
    expect(await atoll(["run", "-c", "print('a'); 1 + 1"])).toMatchObject({ stdout: "a\n2\n", code: 0 });
    expect(await atoll(["run"], "print('b')")).toMatchObject({ stdout: "b\n", code: 0 });
    await writeFile(join(folder, "c.py"), "print('c')");
    expect(await atoll(["run", "c.py"])).toMatchObject({ stdout: "c\n", code: 0 });
  });

  it("shows data, and keeps what the code makes where it is told", async () => {
    await writeFile(join(folder, "in.csv"), "x\n1\n");
    const code = "import shutil; shutil.copy('/data/in.csv', 'out.csv')";
    const { code: exitCode } = await atoll(["run", "-d", "in.csv", "-o", "kept", "-c", code]);
    expect(exitCode).toBe(0);
    expect(await readFile(join(folder, "kept/out.csv"), "utf8")).toBe("x\n1\n");
  });

  it("names what is lost when nobody says where to keep it", async () => {
    const { stderr } = await atoll(["run", "-c", "open('lost.txt', 'w').write('x')"]);
    expect(stderr).toContain("/workspace/lost.txt (1 bytes) is gone with the sandbox; --output keeps it");
  });

  it("ends with the code's own exit code", async () => {
    const failed = await atoll(["run", "-c", "1 / 0"]);
    expect(failed).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("ZeroDivisionError: division by zero"),
    });
    expect(await atoll(["run", "-c", "import sys; sys.exit(7)"])).toMatchObject({ code: 7 });
    const endless = await atoll(["run", "-c", "while True: pass", "--timeout", "0.2"]);
    expect(endless).toMatchObject({ code: 124, stderr: expect.stringContaining("Stopped after 0.2 s") });
  });

  it.each([
    [["run", "--nonsense"], 2, "Unknown option '--nonsense'"],
    [["run", "--timeout", "soon", "-c", "1"], 1, "--timeout must be a number above 0, not soon"],
    [["run", "missing.py"], 1, "cannot read missing.py"],
    [["run", "-c", "1", "--runtime", "cloud"], 1, 'there is no runtime "cloud"'],
    [["run", "-c", "1", "-d", "missing.csv"], 1, "there is nothing at"],
    [["nonsense"], 2, 'there is no command "nonsense"'],
  ])("refuses %j with a sentence and no stack", async (args, code, message) => {
    const result = await atoll(args);
    expect(result).toMatchObject({ code, stderr: expect.stringContaining(message) });
    expect(result.stderr).not.toMatch(/\n\s+at /);
  });

  it("can be started several times at once where nothing is there yet", async () => {
    const runs = ["a", "b", "c", "d"].map((word) => atoll(["run", "-c", `print("${word}")`], "", "new data"));
    expect((await Promise.all(runs)).map(({ stdout }) => stdout)).toEqual(["a\n", "b\n", "c\n", "d\n"]);
  });

  it("demonstrates a sandbox", async () => {
    const { stdout, code } = await atoll(["demo"]);
    expect(code).toBe(0);
    expect(stdout).toContain("artifact /session/artifacts/monthly.png");
    expect(stdout).toContain("FileNotFoundError: [Errno 2] No such file or directory: '/etc/shadow'");
  });
});
