import {
  AtollError,
  type CreateOptions,
  type ErrorCode,
  type LostVariable,
  Sandbox,
  type SandboxHandle,
} from "@atoll/sandbox";

export interface Opened {
  readonly handle: SandboxHandle;
  readonly from: "new" | "hot" | "cold";
  readonly isFresh: boolean;
  readonly lost: readonly LostVariable[];
}

/** Joins the sandbox if it lives, else opens its kept files and brings its variables back, else makes it. */
export async function openSandbox(
  id: string,
  options: CreateOptions & { isForRemoval?: boolean },
): Promise<Opened> {
  const { isForRemoval = false, ...create } = options;
  const { dataDir, runtime } = create;
  const place = {
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(runtime === undefined ? {} : { runtime }),
  };
  const living = await unlessCode(["not_found", "sandbox_dead"], Sandbox.attach(id, place));
  if (living) return { handle: await awaken(living), from: "hot", isFresh: false, lost: [] };

  const isKnown = (await Sandbox.list(place)).some((listing) => listing.id === id);
  const handle = await Sandbox.create({ ...create, id });
  if (isForRemoval || !isKnown) return { handle, from: "new", isFresh: true, lost: [] };
  const restored = await restore(handle);
  return { handle, from: "cold", isFresh: restored === undefined, lost: restored?.lost ?? [] };
}

/** Variables that cannot be saved do not keep a sandbox from resting: the files are what must not be lost. */
export async function restSandbox(handle: SandboxHandle): Promise<void> {
  if ((await handle.state()) === "paused") await handle.resume();
  try {
    await handle.snapshot();
  } catch (error) {
    if (!(error instanceof AtollError)) throw error;
  }
  await handle.destroy({ keepFiles: true });
}

async function awaken(handle: SandboxHandle): Promise<SandboxHandle> {
  if ((await handle.state()) === "paused") await handle.resume();
  return handle;
}

/** A snapshot is good for one restore: after it the kernel moves on, and an older state must not come back. */
async function restore(handle: SandboxHandle) {
  const restored = await unlessCode(["not_found", "snapshot_invalid"], handle.restore());
  if (restored) await handle.files.remove(`${handle.info.paths.session}/${snapshotFolder}`);
  return restored;
}

const snapshotFolder = ".snapshots";

async function unlessCode<T>(codes: readonly ErrorCode[], promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof AtollError && codes.includes(error.code)) return undefined;
    throw error;
  }
}
