import { AtollError, type LostVariable, type SandboxHandle } from "@atoll/sandbox";
import { saveVariables } from "./hibernate.ts";
import { allVariables } from "./variables.ts";

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
    if (!(error instanceof AtollError && error.code === "timeout")) throw error;
    // It answers nobody: its files are all that can be kept of it.
    await handle.destroy({ keepFiles: true });
    return [{ name: allVariables, type: "", reason: error.message }];
  }
}

/** Something runs in it that nobody may be waiting for at the moment. */
export async function isAtWork(handle: SandboxHandle): Promise<boolean> {
  return (await findWork(handle)).isAtWork;
}

/** `mayChange`: also what does not keep it awake, as a shell that waits for its user, may write files at any time. */
export async function findWork(handle: SandboxHandle): Promise<{ isAtWork: boolean; mayChange: boolean }> {
  const [contexts, commands] = await Promise.all([
    handle.python.contexts(),
    handle.info.capabilities.shell ? handle.commands.list() : [],
  ]);
  const running = commands.filter(({ isRunning }) => isRunning);
  // A guest of an older server says nothing of it.
  const isAtWork =
    contexts.some(({ isBusy }) => isBusy) || running.some(({ keepsAwake }) => keepsAwake !== false);
  return { isAtWork, mayChange: isAtWork || running.length > 0 };
}
