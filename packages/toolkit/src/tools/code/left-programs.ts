import type { CallOptions, Sandbox } from "@atoll/sandbox";
import { isProgram } from "./script.ts";

/** Ends the programs of `execute_code` that still run, where nobody is left to answer them. */
export async function endPrograms(sandbox: Sandbox, options: CallOptions = {}): Promise<void> {
  if (!sandbox.info.capabilities.shell) return;
  const commands = await sandbox.commands.list(options);
  for (const { commandId } of commands.filter((each) => each.isRunning && isProgram(each.command))) {
    const command = await sandbox.commands.get(commandId, options);
    await command.kill(options);
  }
}
