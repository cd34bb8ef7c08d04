import { AtollError, isTransientContext, type LostVariable, type SandboxHandle } from "@atoll/sandbox";
import { allVariables, nameIn } from "./variables.ts";

/** A kernel's variables as they lie in the session's folder. */
export interface KeptSnapshot {
  readonly context: string;
  readonly takenAt: string;
  /** Taken when the sandbox was put to rest, and not some time before it ended by itself. */
  readonly isCurrent: boolean;
}

const suffix = ".snapshot";

/**
 * Saves the variables of every context and notes which could be saved. Variables that cannot be saved do not keep a
 * sandbox from resting: the files are what must not be lost.
 */
export async function saveVariables(handle: SandboxHandle): Promise<LostVariable[]> {
  const current: string[] = [];
  const lost: LostVariable[] = [];
  for (const { name: context } of await handle.python.contexts()) {
    if (isTransientContext(context)) continue;
    try {
      const saved = await handle.snapshot({ context });
      current.push(context);
      lost.push(...saved.lost.map((variable) => ({ ...variable, name: nameIn(context, variable.name) })));
    } catch (error) {
      if (!(error instanceof AtollError) || error.code === "sandbox_dead") throw error;
      // A kernel that ended by itself has no variables: an older state of them must not come back as if it had.
      if (error.code === "not_found") await handle.files.remove(`${folderOf(handle)}/${context}${suffix}`);
      else lost.push({ name: nameIn(context, allVariables), type: "", reason: error.message });
    }
  }
  await note(handle, current);
  return lost;
}

/** The default context first. Empty when nothing was ever saved. */
export async function listSnapshots(handle: SandboxHandle): Promise<KeptSnapshot[]> {
  try {
    const [entries, current] = await Promise.all([handle.files.list(folderOf(handle)), readNote(handle)]);
    const found = entries.filter(({ name, kind }) => kind === "file" && name.endsWith(suffix));
    return found
      .map(({ name, modifiedAt }) => ({ context: name.slice(0, -suffix.length), takenAt: modifiedAt }))
      .map((snapshot) => ({ ...snapshot, isCurrent: current.includes(snapshot.context) }))
      .toSorted((one, other) => Number(other.context === "default") - Number(one.context === "default"));
  } catch (error) {
    if (error instanceof AtollError && error.code === "not_found") return [];
    throw error;
  }
}

/** From here on the kernels move on, and the snapshots grow old. */
export async function markAwake(handle: SandboxHandle): Promise<void> {
  await handle.files.remove(noteOf(handle));
}

/** Without room for the note the snapshots count as older than they are, which is no reason not to rest. */
async function note(handle: SandboxHandle, current: readonly string[]): Promise<void> {
  try {
    await handle.files.write(noteOf(handle), JSON.stringify(current));
  } catch (error) {
    if (!(error instanceof AtollError) || error.code === "sandbox_dead") throw error;
  }
}

/** Nothing is current without it. User code can write there too, and would only deceive itself. */
async function readNote(handle: SandboxHandle): Promise<readonly unknown[]> {
  try {
    const note: unknown = JSON.parse(await handle.files.readText(noteOf(handle)));
    return Array.isArray(note) ? note : [];
  } catch {
    return [];
  }
}

function folderOf({ info }: SandboxHandle): string {
  return `${info.paths.session}/.snapshots`;
}

function noteOf(handle: SandboxHandle): string {
  return `${folderOf(handle)}/rested.json`;
}
