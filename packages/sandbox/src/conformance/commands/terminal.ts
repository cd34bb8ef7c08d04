import { expect, it } from "vitest";
import type { Command } from "../../contract/commands.ts";
import type { Sandbox } from "../../contract/sandbox.ts";
import { type Ability, describeAbility, expectRefusals, type Suite } from "../suite.ts";

export function describeTerminal(suite: Suite): void {
  const pty = { cols: 97, rows: 31 };
  const calls = ({ commands }: Sandbox) => [commands.spawn("tty", { pty })];
  const ability: Ability = { title: "a terminal", isPresent: suite.driver.capabilities.pty, calls };
  describeAbility(suite, ability, () => {
    const sandbox = suite.share();

    it("is what the command sees, in the size it was given", async () => {
      const command = await sandbox().commands.spawn(
        "tty; stty size; [ -t 0 ] && [ -t 1 ] && [ -t 2 ] && echo all three",
        { pty },
      );
      expect((await command.wait()).exitCode).toBe(0);
      expect((await command.output()).stdout.text).toMatch(/^\/dev\/pts\/\d+\r\n31 97\r\nall three\r\n$/);
    });

    it("brings stdout and stderr as one", async () => {
      const command = await sandbox().commands.spawn("echo out; echo err >&2", { pty });
      await command.wait();
      expect(await command.output()).toMatchObject({
        stdout: { text: "out\r\nerr\r\n" },
        stderr: { text: "" },
      });
    });

    it("carries a conversation with a shell", async () => {
      const screen = new Screen(
        await sandbox().commands.spawn(["bash", "--norc", "--noediting"], { pty, env: { PS1: "ready> " } }),
      );
      await screen.shows("ready> ");
      await screen.command.write("echo $((6 * 7))\n");
      await screen.shows("42\r\n");
      await screen.command.write("exit 3\n");
      expect(await screen.command.wait()).toMatchObject({ status: "error", exitCode: 3 });
    });

    it("turns Ctrl-C into an interrupt of what is running", async () => {
      const screen = new Screen(
        await sandbox().commands.spawn(
          "trap 'echo interrupted; exit 4' INT; echo ready; while :; do sleep 0.01; done",
          { pty },
        ),
      );
      await screen.shows("ready");
      await screen.command.write("\x03");
      expect((await screen.command.wait()).exitCode).toBe(4);
    });

    it("can be resized", async () => {
      const screen = new Screen(
        await sandbox().commands.spawn(
          "trap 'stty size; exit' WINCH; echo ready; while :; do sleep 0.01; done",
          { pty },
        ),
      );
      await screen.shows("ready");
      await screen.command.resize({ cols: 120, rows: 50 });
      await screen.shows("50 120");
      expect((await screen.command.wait()).status).toBe("ok");
    });

    it("hangs up on what it started when it is killed", async () => {
      const screen = new Screen(await sandbox().commands.spawn("sleep 54331 & echo ready; wait", { pty }));
      await screen.shows("ready");
      await screen.command.kill();
      expect((await screen.command.wait()).status).toBe("killed");
    });

    it("is refused in a size that makes no sense", async () => {
      const command = await sandbox().commands.spawn("sleep 1000", { pty });
      await expectRefusals("invalid_argument", [
        command.resize({ cols: 0, rows: 10 }),
        command.resize({ cols: 1e9, rows: 1 }),
      ]);
      await command.kill();
    });
  });
}

/** What a terminal has shown so far. */
class Screen {
  readonly command: Command;
  #offset = 0;
  #text = "";

  constructor(command: Command) {
    this.command = command;
  }

  /** Resolves once this text has appeared; what came before it does not count again. */
  async shows(text: string): Promise<void> {
    if (this.#take(text)) return;
    for await (const chunk of this.command.follow({ stdoutOffset: this.#offset })) {
      this.#offset = chunk.offset + chunk.bytes.length;
      this.#text += Buffer.from(chunk.bytes).toString();
      if (this.#take(text)) return;
    }
    throw new Error(`the command ended without ${JSON.stringify(text)}: ${JSON.stringify(this.#text)}`);
  }

  #take(text: string): boolean {
    const place = this.#text.indexOf(text);
    if (place >= 0) this.#text = this.#text.slice(place + text.length);
    return place >= 0;
  }
}
