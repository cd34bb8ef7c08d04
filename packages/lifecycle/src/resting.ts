import { AtollError, type LostVariable, type SandboxHandle } from "@atoll/sandbox";
import { saveVariables } from "./snapshots.ts";

/** Variables to snapshots, files kept, no process left. Says what could not be saved. */
export async function restSandbox(handle: SandboxHandle): Promise<readonly LostVariable[]> {
  try {
    if ((await handle.state()) === "paused") await handle.resume();
    const lost = await saveVariables(handle);
    await handle.destroy({ keepFiles: true });
    return lost;
  } catch (error) {
    // It has ended already.
    if (error instanceof AtollError && error.code === "sandbox_dead") return [];
    throw error;
  }
}

/** Something runs in it that nobody may be waiting for at the moment. */
export async function isAtWork(handle: SandboxHandle): Promise<boolean> {
  const [contexts, commands] = await Promise.all([
    handle.python.contexts(),
    handle.info.capabilities.shell ? handle.commands.list() : [],
  ]);
  return contexts.some(({ isBusy }) => isBusy) || commands.some(({ isRunning }) => isRunning);
}
