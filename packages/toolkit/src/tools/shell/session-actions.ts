import { AtollError, type Command, type CommandInfo } from "@atoll/sandbox";
import { failure, success } from "../../output.ts";
import type { ToolContext, ToolOutput } from "../../tool.ts";
import { requireAbility } from "../abilities.ts";
import {
  awaitOutput,
  beginning,
  parsePosition,
  type Position,
  readOutput,
  writePosition,
} from "./session-output.ts";

export interface Input {
  readonly action: "start" | "write" | "view" | "wait" | "kill";
  readonly id?: string | undefined;
  readonly command?: string | undefined;
  readonly cwd?: string | undefined;
  readonly input?: string | undefined;
  readonly press_enter?: boolean | undefined;
  readonly seconds?: number | undefined;
  readonly until?: string | undefined;
  readonly since?: string | undefined;
}

/** How long a program that answers is given before its answer counts as complete. */
const QUIET_MS = 400;
const ANSWER_SECONDS = 5;
const WAIT_SECONDS = 30;

export async function performAction(given: Input, context: ToolContext): Promise<ToolOutput> {
  const from = given.since === undefined ? beginning : parsePosition(given.since);
  if (!from) return failure(`since is not a point that an earlier call named: ${given.since}`);
  if (given.action === "start") return start(given, context);
  const command = await find(given.id, context);
  switch (given.action) {
    case "write":
      return write(command, given, context);
    case "view":
      return show(command, from, context);
    case "wait":
      await awaitOutput(
        command,
        from,
        { maxMs: (given.seconds ?? WAIT_SECONDS) * 1000, until: given.until },
        context,
      );
      return show(command, from, context);
    case "kill":
      await command.kill({ signal: context.signal });
      await command.wait({ signal: context.signal });
      return show(command, from, context);
  }
}

async function start(given: Input, context: ToolContext): Promise<ToolOutput> {
  requireAbility(context, "pty");
  const { sandbox, signal } = context;
  const command = await sandbox.commands.spawn(given.command ?? "exec bash --norc -i", {
    pty: { cols: 120, rows: 40 },
    signal,
    cwd: given.cwd,
  });
  await awaitAnswer(command, beginning, given, context);
  return show(command, beginning, context);
}

async function write(command: Command, given: Input, context: ToolContext): Promise<ToolOutput> {
  const { end } = await readOutput(command, beginning, context);
  const isControl = /^\p{Cc}$/u.test(given.input ?? "");
  const enter = (given.press_enter ?? !isControl) ? "\n" : "";
  await command.write(`${given.input ?? ""}${enter}`, { signal: context.signal });
  await awaitAnswer(command, end, given, context);
  return show(command, end, context);
}

function awaitAnswer(command: Command, from: Position, { seconds, until }: Input, context: ToolContext) {
  const maxMs = (seconds ?? ANSWER_SECONDS) * 1000;
  return awaitOutput(command, from, { maxMs, quietMs: QUIET_MS, until }, context);
}

async function show(command: Command, from: Position, context: ToolContext): Promise<ToolOutput> {
  if (context.signal.aborted) throw new AtollError("aborted", "it was stopped");
  const { text, end, isRunning, isCut } = await readOutput(command, from, context);
  // The end of it says what the program waits for.
  const room = Math.max(100, context.maxOutputChars - 300);
  const shown = text.length > room ? text.slice(-room) : text;
  const point = writePosition(end);
  const exit = isRunning ? undefined : await command.wait({ signal: context.signal });
  const state = exit ? `has ended with exit code ${exit.exitCode}` : "is running";
  const lines = [
    ...(isCut || shown !== text ? ["[Earlier output is left out.]"] : []),
    shown || "(no output)",
    `[${command.commandId} ${state}. What comes after this: since="${point}"]`,
  ];
  const exitCode = exit ? { exit_code: exit.exitCode } : {};
  const data = { id: command.commandId, output: shown, is_running: isRunning, since: point, ...exitCode };
  return success(lines.join("\n"), { data });
}

async function find(id: string | undefined, { sandbox, signal }: ToolContext): Promise<Command> {
  if (id !== undefined) return sandbox.commands.get(id, { signal });
  const newest = pickNewest(await sandbox.commands.list({ signal }));
  if (!newest) throw new AtollError("not_found", 'there is no session: open one with the action "start"');
  return sandbox.commands.get(newest.commandId, { signal });
}

function pickNewest(commands: readonly CommandInfo[]): CommandInfo | undefined {
  const byAge = commands.toSorted((one, other) => one.startedAt.localeCompare(other.startedAt));
  return byAge.findLast(({ isRunning }) => isRunning) ?? byAge.at(-1);
}
