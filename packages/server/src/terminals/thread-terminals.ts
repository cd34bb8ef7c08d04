import { randomBytes } from "node:crypto";
import { KeyedMutex } from "@atoll/std";
import { AtollError, type Command, type CommandInfo, type Sandbox } from "@atoll/sandbox";

export interface Terminal {
  readonly terminalId: string;
  readonly startedAt: string;
  readonly isRunning: boolean;
}

interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** More than a person has open, and fewer than would cost anything. */
const maxTerminals = 8;
const keptOutputBytes = 512 * 1024;
/** A command's own id begins anew with its sandbox; this one is in its command line, and is no other's ever. */
const mark = "ATOLL_TERMINAL=";

/** Shells in threads' sandboxes that a person types into. They are the sandbox's own commands, and end with it. */
export function openTerminal(sandbox: Sandbox, pty: Size): Promise<string> {
  // One after the other: whoever opens another has counted this one.
  return mutex.run(sandbox.id, () => open(sandbox, pty));
}

const mutex = new KeyedMutex();

async function open({ commands, info }: Sandbox, pty: Size): Promise<string> {
  if (!info.capabilities.pty) throw new AtollError("not_supported", "this runtime has no terminals");
  const others = (await listTerminals({ commands })).filter(({ isRunning }) => isRunning);
  if (others.length >= maxTerminals)
    throw new AtollError(
      "busy",
      `This thread has ${maxTerminals} terminals open already. Close one of them.`,
    );
  const terminalId = randomBytes(9).toString("hex");
  await commands.spawn(["/usr/bin/env", `${mark}${terminalId}`, "/bin/bash", "--norc", "-i"], {
    pty,
    stdin: true,
    cwd: info.paths.workspace,
    env: { TERM: "xterm-256color", PS1: "$PWD \\$ " },
    maxOutputBytes: keptOutputBytes,
    keepsAwake: false,
  });
  return terminalId;
}

/** Also those that have ended, for a while. */
export async function listTerminals({ commands }: Pick<Sandbox, "commands">): Promise<Terminal[]> {
  return (await commands.list()).flatMap((info) => {
    const terminalId = idOf(info);
    return terminalId === undefined
      ? []
      : [{ terminalId, startedAt: info.startedAt, isRunning: info.isRunning }];
  });
}

export async function findTerminal(
  { commands }: Pick<Sandbox, "commands">,
  terminalId: string,
): Promise<Command> {
  const found = (await commands.list()).find((info) => idOf(info) === terminalId);
  if (!found) throw new AtollError("not_found", "there is no such terminal");
  return commands.get(found.commandId);
}

function idOf({ command }: CommandInfo): string | undefined {
  const word = typeof command === "string" ? undefined : command[1];
  return word?.startsWith(mark) ? word.slice(mark.length) : undefined;
}
