import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
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

  it("mounts data, and saves the files that the code makes in --output", async () => {
    await writeFile(join(folder, "in.csv"), "x\n1\n");
    const code = "import shutil; shutil.copy('/data/in.csv', 'out.csv')";
    const { code: exitCode } = await atoll(["run", "-d", "in.csv", "-o", "kept", "-c", code]);
    expect(exitCode).toBe(0);
    expect(await readFile(join(folder, "kept/out.csv"), "utf8")).toBe("x\n1\n");
  });

  it("does not replace files or follow links without --force", async () => {
    await mkdir(join(folder, "there"));
    await writeFile(join(folder, "there/own.txt"), "the user's");
    await writeFile(join(folder, "elsewhere.txt"), "the user's");
    await symlink(join(folder, "elsewhere.txt"), join(folder, "there/link.txt"));
    const code = "for name in ('own.txt', 'link.txt', 'new.txt'): open(name, 'w').write('made')";
    const read = (name: string) => readFile(join(folder, name), "utf8");
    const refused = await atoll(["run", "-o", "there", "-c", code]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("own.txt is there already; --force replaces it");
    expect([await read("there/own.txt"), await read("there/new.txt")]).toEqual(["the user's", "made"]);
    expect(await atoll(["run", "-o", "there", "--force", "-c", code])).toMatchObject({ code: 0 });
    expect([await read("there/own.txt"), await read("there/link.txt")]).toEqual(["made", "made"]);
    expect(await read("elsewhere.txt")).toBe("the user's");
  });

  it("passes control sequences to a pipe, and only colours to a terminal", async () => {
    const code = String.raw`print("\x1b]0;title\x07\x1b[31mred\x1b[0m"); _ = open("a\x1b[2Jb", "w").write("x")`;
    const piped = await atoll(["run", "-c", code]);
    expect(piped.stdout).toBe("\u001B]0;title\u0007\u001B[31mred\u001B[0m\n");
    expect(piped.stderr).not.toContain("\u001B[2J");
    const terminal = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)";
    const env = { ...process.env, ATOLL_DATA_DIR: join(folder, "data") };
    const args = ["-c", terminal, process.execPath, main, "run", "-c", code];
    const child = spawn("python3", args, { env, cwd: folder });
    child.stdin.end();
    const shown = await text(child.stdout);
    expect(shown).toContain("]0;title\u001B[31mred\u001B[0m");
    for (const control of ["\u0007", "\u001B]", "\u001B[2J"]) expect(shown).not.toContain(control);
  });

  it("names the files that are lost without --output", async () => {
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

  it("looks through a data folder, and says what it would repair", async () => {
    await mkdir(join(folder, "served/server"), { recursive: true });
    await writeFile(join(folder, "served/server/atoll.db"), "garbage ".repeat(2000));
    const found = await atoll(["doctor"], "", "served");
    expect(found).toMatchObject({ code: 1, stderr: "" });
    expect(found.stdout).toMatch(/^damaged +atoll\.db is damaged: .*Run `atoll doctor --repair`/m);
    expect((await atoll(["doctor"], "", "nowhere")).stderr).toContain("There is no data of an Atoll server");
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
