import { describe, expect, it } from "vitest";
import type { Command, CommandChunk } from "../../contract/commands.ts";
import { expectRefusals, refusal, type Suite } from "../suite.ts";

export function describeBackground({ driver, share }: Suite): void {
  describe.runIf(driver.capabilities.shell)("commands.spawn", () => {
    const sandbox = share();

    it("starts a command that can be found again", async () => {
      const started = await sandbox().commands.spawn(["sleep", "1000"]);
      const { commandId, pid } = started;
      expect(await sandbox().commands.list()).toContainEqual(
        expect.objectContaining({ commandId, pid, command: ["sleep", "1000"], isRunning: true }),
      );
      const found = await sandbox().commands.get(commandId);
      expect(found).toMatchObject({ commandId, pid });
      await found.kill();
      expect(await started.wait()).toMatchObject({ status: "killed", exitCode: 137, signal: "SIGKILL" });
      expect(await sandbox().commands.list()).toContainEqual(
        expect.objectContaining({ commandId, isRunning: false, exitCode: 137 }),
      );
    });

    it("keeps the output to be read again from any offset", async () => {
      const command = await sandbox().commands.spawn(
        "echo one; echo oops >&2; until [ -e two ]; do sleep 0.01; done; echo two",
      );
      await until(command, "one\n");
      const first = await command.output();
      expect(first).toMatchObject({ isRunning: true, stdout: { offset: 0, text: "one\n" } });
      await sandbox().files.write("two", "");
      expect(await command.wait()).toMatchObject({ status: "ok", exitCode: 0 });

      const rest = await command.output({ stdoutOffset: first.stdout.bytes.length });
      expect(rest).toMatchObject({
        isRunning: false,
        stdout: { offset: 4, text: "two\n" },
        stderr: { text: "oops\n" },
      });
      const later = await (await sandbox().commands.get(command.commandId)).output();
      expect(later).toMatchObject({
        stdout: { offset: 0, text: "one\ntwo\n" },
        stderr: { offset: 0, text: "oops\n" },
      });
      expect((await command.output({ stdoutOffset: 8 })).stdout).toMatchObject({ offset: 8, text: "" });
    });

    it("keeps only the last bytes past the cap", async () => {
      const command = await sandbox().commands.spawn("seq -f '%04.0f' 1 1000", { maxOutputBytes: 500 });
      await command.wait();
      const { stdout } = await command.output();
      expect(stdout.bytes.length).toBeLessThanOrEqual(500);
      expect(stdout.offset + stdout.bytes.length).toBe(5000);
      expect(stdout.text).toMatch(/0999\n1000\n$/);
    });

    it("can be followed as it goes on, from any offset", async () => {
      const command = await sandbox().commands.spawn(
        "echo one; until [ -e three ]; do sleep 0.01; done; echo three",
      );
      const seen: CommandChunk[] = [];
      for await (const chunk of command.follow({ stdoutOffset: 1 })) {
        seen.push(chunk);
        await sandbox().files.write("three", "");
      }
      expect(textOf(seen)).toBe("ne\nthree\n");
      expect(seen[0]).toMatchObject({ stream: "stdout", offset: 1 });
      expect(textOf(await collect(command))).toBe("one\nthree\n");
    });

    it("can be left while it is followed", async () => {
      const command = await sandbox().commands.spawn("echo one; sleep 1000");
      for await (const _ of command.follow()) break;
      const abort = new AbortController();
      const following = collect(command, abort.signal).catch(() => []);
      abort.abort();
      await following;
      expect((await command.output()).isRunning).toBe(true);
      await command.kill();
    });

    it("takes stdin until it is closed", async () => {
      const command = await sandbox().commands.spawn('while read line; do echo "got $line"; done; echo end', {
        stdin: true,
      });
      await command.write("one\n");
      await until(command, "got one\n");
      await command.write(Buffer.from("two\n"));
      await command.closeStdin();
      expect(await command.wait()).toMatchObject({ status: "ok" });
      expect((await command.output()).stdout.text).toBe("got one\ngot two\nend\n");
    });

    it("takes no stdin unless asked to", async () => {
      const command = await sandbox().commands.spawn("cat; echo end");
      expect((await command.wait()).exitCode).toBe(0);
      await expect(command.write("late")).rejects.toMatchObject(refusal("invalid_argument"));
    });

    it("sends signals to the command and all it started", async () => {
      const loop = "echo ready; while :; do sleep 0.01; done";
      const child = `trap 'echo child caught; exit' USR1; ${loop}`;
      const command = await sandbox().commands.spawn(
        `( ${child} ) & trap 'wait; echo parent caught; exit 5' USR1; ${loop}`,
      );
      await until(command, "ready\nready\n");
      await command.signal("SIGUSR1");
      expect(await command.wait()).toMatchObject({ status: "error", exitCode: 5 });
      expect((await command.output()).stdout.text).toContain("child caught\nparent caught\n");
    });

    it("ends when its time is up", async () => {
      const command = await sandbox().commands.spawn("sleep 1000", { timeoutMs: 200 });
      expect((await command.wait()).status).toBe("timeout");
    });

    it("can be waited for without end or with", async () => {
      const command = await sandbox().commands.spawn("sleep 1000");
      await expect(command.wait({ timeoutMs: 100 })).rejects.toMatchObject(refusal("timeout"));
      await expect(command.wait({ signal: AbortSignal.abort() })).rejects.toMatchObject(refusal("aborted"));
      expect((await command.output()).isRunning).toBe(true);
      await command.kill();
    });

    it("may be killed again and signalled when it has ended", async () => {
      const command = await sandbox().commands.spawn("true");
      await command.wait();
      await command.kill();
      await command.signal("SIGTERM");
      expect(await command.wait()).toMatchObject({ status: "ok", exitCode: 0 });
    });

    it("refuses what makes no sense", async () => {
      const command = await sandbox().commands.spawn("sleep 1000");
      await expectRefusals("invalid_argument", [
        command.signal("SIGNOTHING"),
        command.output({ stdoutOffset: -1 }),
        sandbox().commands.spawn(""),
        sandbox().commands.spawn("true", { pty: { cols: 0, rows: -1 } }),
      ]);
      await expectRefusals("not_found", [sandbox().commands.get("no-such-command")]);
      await command.kill();
    });
  });
}

/** Resolves once stdout holds this much. */
async function until(command: Command, text: string): Promise<void> {
  let seen = "";
  for await (const chunk of command.follow()) {
    if (chunk.stream === "stdout") seen += Buffer.from(chunk.bytes).toString();
    if (seen.includes(text)) return;
  }
  throw new Error(`the command ended after writing ${JSON.stringify(seen)}`);
}

async function collect(command: Command, signal?: AbortSignal): Promise<CommandChunk[]> {
  const chunks: CommandChunk[] = [];
  for await (const chunk of command.follow(signal && { signal })) chunks.push(chunk);
  return chunks;
}

function textOf(chunks: readonly CommandChunk[]): string {
  return Buffer.concat(
    chunks.filter((chunk) => chunk.stream === "stdout").map((chunk) => chunk.bytes),
  ).toString();
}
