import { expect, it, vi } from "vitest";
import type { CommandRunOptions } from "../../contract/commands.ts";
import type { Sandbox } from "../../contract/sandbox.ts";
import { evaluate } from "../run-code.ts";
import { type Ability, describeAbility, expectRefusals, refusal, type Suite } from "../suite.ts";

export function describeCommands(suite: Suite): void {
  const ability: Ability = {
    title: "commands.run",
    isPresent: suite.driver.capabilities.shell,
    calls: ({ commands }: Sandbox) => [commands.run("true"), commands.spawn("true"), commands.list()],
  };
  describeAbility(suite, ability, () => {
    const sandbox = suite.share();
    const run = (command: string | readonly string[], options?: CommandRunOptions) =>
      sandbox().commands.run(command, options);

    it("gives a text to bash", async () => {
      const result = await run('[[ a == a ]] && echo "out $((6 * 7))"; echo err >&2');
      expect(result).toMatchObject({
        status: "ok",
        exitCode: 0,
        stdout: "out 42\n",
        stderr: "err\n",
        truncated: { stdout: false, stderr: false },
        notices: [],
      });
      expect(result.commandId).toMatch(/\S/);
      expect(result.signal).toBeUndefined();
      expect(result.durationMs).toBeGreaterThanOrEqual(0);
    });

    it("executes a list as it is", async () => {
      expect((await run(["printf", "%s|", "$HOME", "a b", "*", "'", ""])).stdout).toBe("$HOME|a b|*|'||");
    });

    it.each([1, 7, 255])("reports exit code %i as a result", async (code) => {
      expect(await run(`exit ${code}`)).toMatchObject({ status: "error", exitCode: code });
    });

    it("reports the signal that ended it", async () => {
      expect(await run("kill -TERM $$")).toMatchObject({
        status: "killed",
        exitCode: 143,
        signal: "SIGTERM",
      });
    });

    it.each(["no-such-program", ["no-such-program"]])(
      "reports a program that is not there: %j",
      async (command) => {
        const stderr = expect.stringContaining("no-such-program");
        expect(await run(command)).toMatchObject({ status: "error", exitCode: 127, stderr });
      },
    );

    it("starts in the workspace, or where it is told", async () => {
      const { workspace } = sandbox().info.paths;
      await sandbox().files.mkdir("sub/folder");
      expect((await run("pwd -P")).stdout).toBe(`${workspace}\n`);
      expect((await run("pwd -P", { cwd: "sub/folder" })).stdout).toBe(`${workspace}/sub/folder\n`);
      expect((await run("pwd -P", { cwd: "/" })).stdout).toBe("/\n");
    });

    it("has the environment it is given, and only for once", async () => {
      const result = await run('printf %s "$GREETING"', { env: { GREETING: "líne\none" } });
      expect(result.stdout).toBe("líne\none");
      expect((await run('echo "<$GREETING>"')).stdout).toBe("<>\n");
    });

    it("shares the files of the kernel", async () => {
      await run("echo from the shell > shared.txt");
      expect(await evaluate(sandbox(), "open('shared.txt').read()")).toBe("'from the shell\\n'");
    });

    it("has the same Python as the kernel", async () => {
      const code = "import pandas, sys; print(sys.version_info[:2])";
      expect((await run(["python3", "-c", code])).stdout.trim()).toBe(
        await evaluate(sandbox(), "import sys; sys.version_info[:2]", { place: "heavy" }),
      );
    });

    it("takes stdin as text and as bytes", async () => {
      expect((await run("cat", { stdin: "grüße" })).stdout).toBe("grüße");
      const bytes = Uint8Array.from({ length: 256 }, (_, n) => n);
      expect(Buffer.from((await run("cat", { stdin: bytes })).stdoutBytes)).toEqual(Buffer.from(bytes));
    });

    it("takes more stdin than a pipe holds", async () => {
      expect((await run("wc -c", { stdin: "x".repeat(3_000_000) })).stdout.trim()).toBe("3000000");
      expect((await run("true", { stdin: "x".repeat(3_000_000) })).status).toBe("ok");
    });

    it("has a closed stdin otherwise", async () => {
      expect(await run("cat; echo end")).toMatchObject({ status: "ok", stdout: "end\n" });
    });

    it("gives output that is no text as bytes", async () => {
      const result = await run(String.raw`printf '\xff\x00\xfe'; printf 'e\xe9' >&2`);
      expect([...result.stdoutBytes]).toEqual([0xff, 0, 0xfe]);
      expect([...result.stderrBytes]).toEqual([0x65, 0xe9]);
      expect(result.stdout).toContain("\uFFFD");
    });

    it("delivers output while it runs", async () => {
      const arrived = Promise.withResolvers<void>();
      const result = run("echo early; echo early >&2; until [ -e go ]; do sleep 0.01; done; echo late", {
        timeoutMs: 30_000,
        onStdout: () => arrived.resolve(),
      });
      await Promise.race([arrived.promise, result]);
      await sandbox().files.write("go", "");
      expect(await result).toMatchObject({ status: "ok", stdout: "early\nlate\n", stderr: "early\n" });
    });

    it("cuts output at the cap and says so", async () => {
      const result = await run("head -c 5000 /dev/zero; echo e >&2", { maxOutputBytes: 1000 });
      expect(result).toMatchObject({
        status: "ok",
        truncated: { stdout: true, stderr: false },
        stderr: "e\n",
      });
      expect(result.stdoutBytes.length).toBeLessThanOrEqual(1000);
    });

    it.each([
      ["a sleep", "sleep 1000"],
      ["what ignores signals", "trap '' TERM INT HUP; while :; do sleep 0.05; done"],
    ])("ends %s when its time is up, with all it started", async (_, command) => {
      const result = await run(`sleep 54321 & ${command}`, { timeoutMs: 300 });
      expect(result.status).toBe("timeout");
      expect(result.exitCode).not.toBe(0);
      await vi.waitFor(async () => expect(await commandLines()).not.toContain("54321"), 90_000);
    });

    it("is killed when its signal aborts", async () => {
      const abort = new AbortController();
      const result = run("echo ready; sleep 54322", {
        signal: abort.signal,
        onStdout: () => abort.abort(),
      });
      expect(await result).toMatchObject({ status: "killed", stdout: "ready\n" });
      await vi.waitFor(async () => expect(await commandLines()).not.toContain("54322"), 90_000);
      const late = run("touch started", { signal: AbortSignal.abort() });
      await expect(late).rejects.toMatchObject(refusal("aborted"));
      expect(await sandbox().files.exists("started")).toBe(false);
    });

    it("ends with the command, though something it started holds its output open", async () => {
      const result = await run("sleep 54323 & echo started", { timeoutMs: 30_000 });
      expect(result).toMatchObject({ status: "ok", stdout: "started\n" });
    });

    it("runs many at once", async () => {
      const results = await Promise.all(Array.from({ length: 20 }, (_, n) => run(["echo", String(n)])));
      expect(results.map((result) => result.stdout)).toEqual(results.map((_, n) => `${n}\n`));
    });

    it("refuses what makes no sense", async () => {
      await expectRefusals("invalid_argument", [
        run(""),
        run([]),
        run([""]),
        run("echo nul\0nul"),
        run(["echo", "nul\0nul"]),
        run("true", { timeoutMs: -1 }),
        run("true", { env: { "A=B": "1" } }),
        run("true", { maxOutputBytes: -1 }),
      ]);
      await expect(run("true", { cwd: "no/such/folder" })).rejects.toMatchObject(refusal("not_found"));
    });

    const commandLines = async () =>
      (await sandbox().processes.list()).map((process) => process.commandLine).join("\n");
  });
}
