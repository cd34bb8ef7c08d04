import { AtollError, isTransientContext, type LostVariable, type SandboxHandle } from "@atoll/sandbox";

export interface RestoredVariables {
  readonly restored: readonly string[];
  readonly lost: readonly LostVariable[];
  /** The sandbox had ended by itself: the variables are from this time. */
  readonly variablesAt?: string;
}

/** Names a kernel's variables as a whole, where their names are unknown. */
export const ALL_VARIABLES = "(all variables)";

/**
 * Saves the variables to snapshots, keeps the files and ends every process. Resolves with the variables that could not
 * be saved. `Sandbox.create` with the same id and then `restoreVariables` bring the sandbox back.
 *
 *     const lost = await hibernateSandbox(handle);
 *     const again = await Sandbox.create({ id: handle.id });
 *     await restoreVariables(again);
 */
export async function hibernateSandbox(handle: SandboxHandle): Promise<readonly LostVariable[]> {
  try {
    if ((await handle.state()) === "paused") await handle.resume();
    const lost = await saveVariables(handle);
    await handle.destroy({ keepFiles: true });
    return lost;
  } catch (error) {
    // It has ended already.
    if (error instanceof AtollError && error.code === "sandbox_dead") return [];
    if (!(error instanceof AtollError && error.code === "timeout")) throw error;
    // It does not respond: only its files can be kept.
    await handle.destroy({ keepFiles: true });
    return [{ name: ALL_VARIABLES, type: "", reason: error.message }];
  }
}

/** Undefined without snapshots. A snapshot that cannot be restored is reported as lost and does not fail the wake. */
export async function restoreVariables(handle: SandboxHandle): Promise<RestoredVariables | undefined> {
  const snapshots = await listSnapshots(handle);
  if (snapshots.length === 0) return undefined;
  const restored: string[] = [];
  const lost: LostVariable[] = [];
  let variablesAt: string | undefined;
  for (const { context, takenAt, isCurrent } of snapshots) {
    if (context !== "default") await handle.python.createContext({ name: context });
    try {
      const report = await handle.restore({ context });
      restored.push(...report.restored.map((name) => nameIn(context, name)));
      lost.push(...report.lost.map((variable) => ({ ...variable, name: nameIn(context, variable.name) })));
      if (!isCurrent && (!variablesAt || takenAt < variablesAt)) variablesAt = takenAt;
    } catch (error) {
      if (!(error instanceof AtollError) || error.code === "sandbox_dead") throw error;
      lost.push({ name: nameIn(context, ALL_VARIABLES), type: "", reason: error.message });
    }
  }
  // From here on the kernels change, and the snapshots are no longer current.
  await handle.files.remove(currentListPath(handle));
  if (restored.length === 0 && lost.length === 0) return { restored, lost };
  return { restored, lost, variablesAt };
}

/** The name of a variable in reports: `context/variable` unless the context is `default`. */
export function nameIn(context: string, variable: string): string {
  return context === "default" ? variable : `${context}/${variable}`;
}

/** A kernel's variables as they are stored in the session folder. */
interface StoredSnapshot {
  readonly context: string;
  readonly takenAt: string;
  /** It was taken when the sandbox hibernated, not some time before the sandbox ended by itself. */
  readonly isCurrent: boolean;
}

const SNAPSHOT_SUFFIX = ".snapshot";

/** Variables that cannot be saved do not stop hibernation: the files must not be lost. */
async function saveVariables(handle: SandboxHandle): Promise<LostVariable[]> {
  const current: string[] = [];
  const lost: LostVariable[] = [];
  for (const { name: context } of await handle.python.contexts()) {
    if (isTransientContext(context)) continue;
    try {
      const snapshot = await handle.snapshot({ context });
      current.push(context);
      lost.push(...snapshot.lost.map((variable) => ({ ...variable, name: nameIn(context, variable.name) })));
    } catch (error) {
      if (!(error instanceof AtollError) || error.code === "sandbox_dead") throw error;
      // A kernel that ended by itself has no variables: an older snapshot must not be restored in their place.
      if (error.code === "not_found")
        await handle.files.remove(`${snapshotFolder(handle)}/${context}${SNAPSHOT_SUFFIX}`);
      else lost.push({ name: nameIn(context, ALL_VARIABLES), type: "", reason: error.message });
    }
  }
  await writeCurrentList(handle, current);
  return lost;
}

/** The default context first. Empty if nothing was ever saved. */
async function listSnapshots(handle: SandboxHandle): Promise<StoredSnapshot[]> {
  try {
    const [entries, current] = await Promise.all([
      handle.files.list(snapshotFolder(handle)),
      readCurrentList(handle),
    ]);
    return entries
      .filter(({ name, kind }) => kind === "file" && name.endsWith(SNAPSHOT_SUFFIX))
      .map(({ name, modifiedAt }) => ({
        context: name.slice(0, -SNAPSHOT_SUFFIX.length),
        takenAt: modifiedAt,
      }))
      .map((snapshot) => ({ ...snapshot, isCurrent: current.includes(snapshot.context) }))
      .toSorted((one, other) => Number(other.context === "default") - Number(one.context === "default"));
  } catch (error) {
    if (error instanceof AtollError && error.code === "not_found") return [];
    throw error;
  }
}

/** A full disk does not stop hibernation: without the list the snapshots only seem older than they are. */
async function writeCurrentList(handle: SandboxHandle, contexts: readonly string[]): Promise<void> {
  try {
    await handle.files.write(currentListPath(handle), JSON.stringify(contexts));
  } catch (error) {
    if (!(error instanceof AtollError) || error.code === "sandbox_dead") throw error;
  }
}

/** User code can write this file too, and would only mislead itself. */
async function readCurrentList(handle: SandboxHandle): Promise<readonly unknown[]> {
  try {
    const contexts: unknown = JSON.parse(await handle.files.readText(currentListPath(handle)));
    return Array.isArray(contexts) ? contexts : [];
  } catch {
    return [];
  }
}

function snapshotFolder({ info }: SandboxHandle): string {
  return `${info.paths.session}/.snapshots`;
}

/** Names the contexts whose snapshots are current. */
function currentListPath(handle: SandboxHandle): string {
  return `${snapshotFolder(handle)}/rested.json`;
}
