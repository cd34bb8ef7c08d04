import { AtollError, type CommandResult, type CommandRunOptions } from "@atoll/sandbox";
import type { ToolContext } from "../tool.ts";
import { notSupported, requireAbility } from "./abilities.ts";

const EXIT_NOT_FOUND = 127;

/**
 * Runs a program of the sandbox with its arguments as a list: no shell reads them. Fails with `not_supported` where
 * the sandbox has no such program, and with `aborted` after a stop.
 */
export async function runProgram(
  context: Pick<ToolContext, "sandbox" | "signal">,
  [program, ...args]: readonly [string, ...string[]],
  options: Omit<CommandRunOptions, "signal"> = {},
): Promise<CommandResult> {
  requireAbility(context, "shell");
  const { signal } = context;
  const result = await context.sandbox.commands.run([program, ...args], { ...options, signal });
  if (signal.aborted) throw new AtollError("aborted", "it was stopped", { cause: signal.reason });
  if (isMissing(result)) throw notSupported(`the sandbox has no ${program}`);
  return result;
}

/** Also a program that is there may end with this code, but then without this complaint. */
function isMissing({ exitCode, stdout, stderr }: CommandResult): boolean {
  return exitCode === EXIT_NOT_FOUND && stdout === "" && /no such file|not found/i.test(stderr);
}

/** What it wrote, as one text. */
export function joinStreams({ stdout, stderr }: Pick<CommandResult, "stdout" | "stderr">): string {
  return [stdout, stderr]
    .map((part) => part.trimEnd())
    .filter((part) => part !== "")
    .join("\n");
}

/** What to do about it, when a program's complaint is that it reached no network; else nothing. */
export function networkHint(complaint: string): string {
  return UNREACHABLE.test(complaint)
    ? "\n[The sandbox's network policy does not allow this. Ask the user to allow the host, or to put the files into the workspace.]"
    : "";
}

const UNREACHABLE =
  /name resolution|could not resolve|name or service not known|network is UNREACHABLE|no route to host|failed to establish a new connection|connection refused|failed to connect|proxyerror|tunnel connection failed|connect tunnel failed|from proxy/i;
