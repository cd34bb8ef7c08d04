import type { LostVariable, SandboxHandle } from "../../../contract/sandbox.ts";
import { AtollError } from "../../../errors.ts";

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

export interface SavedVariables {
  readonly path: string;
  readonly names: readonly string[];
  readonly lost: readonly LostVariable[];
}

export interface Moved {
  readonly names: readonly string[];
  readonly lost: readonly LostVariable[];
}

interface Choice {
  readonly context: string;
  readonly only?: readonly string[];
  /** Default: what is worth the wait while the user's code waits for it. */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Beside the context's own snapshot, which belongs to the sandbox's owner. `purpose` names the file. */
export async function saveVariables(
  handle: SandboxHandle,
  purpose: "moved" | "before",
  { context, only, maxBytes = DEFAULT_MAX_BYTES, signal }: Choice,
): Promise<SavedVariables> {
  const path = pathFor(handle, context, purpose);
  const options = { context, path, maxBytes, maxValueBytes: maxBytes };
  const { saved, lost } = await handle.snapshot({
    ...options,
    ...(only && { only }),
    ...(signal && { signal }),
  });
  return { path, names: saved, lost };
}

/** Adds what was saved to the variables of a kernel in another sandbox. */
export async function bringVariables(
  source: SandboxHandle,
  target: SandboxHandle,
  saved: SavedVariables,
  {
    context,
    forget = [],
    signal,
  }: { context: string; forget?: readonly string[]; signal?: AbortSignal | undefined },
): Promise<Moved> {
  const call = { ...(signal && { signal }) };
  await ensureContext(target, context);
  const path = pathFor(target, context, "moved");
  await target.files.write(path, source.files.readStream(saved.path), call);
  const { restored, lost } = await target.restore({ context, path, isAdded: true, forget, ...call });
  return { names: restored, lost };
}

/** So that no old value can be taken for a new one, and to free the memory. */
export async function dropVariables(
  handle: SandboxHandle,
  context: string,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const path = pathFor(handle, context, "none");
  await handle.snapshot({ context, path, only: [] });
  await handle.restore({ context, path, isAdded: true, forget: names });
}

/** The names of all variables, without their values; undefined where the disk is too full for the list. */
export async function listVariables(handle: SandboxHandle, context: string): Promise<string[] | undefined> {
  try {
    const path = pathFor(handle, context, "none");
    const { saved, lost } = await handle.snapshot({ context, path, maxBytes: 1, maxValueBytes: 1 });
    return [...saved, ...lost.map(({ name }) => name)].filter((name) =>
      /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name),
    );
  } catch (error) {
    // The kernel has ended by itself: it has none.
    if (error instanceof AtollError && error.code === "not_found") return [];
    if (error instanceof AtollError && error.code === "disk_full") return undefined;
    throw error;
  }
}

export async function ensureContext(handle: SandboxHandle, context: string): Promise<void> {
  if (context === "default") return;
  const contexts = await handle.python.contexts();
  if (!contexts.some(({ name }) => name === context)) await handle.python.createContext({ name: context });
}

function pathFor({ info }: SandboxHandle, context: string, purpose: string): string {
  return `${info.paths.session}/.snapshots/${context}.${purpose}`;
}
