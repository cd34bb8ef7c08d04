import { createHash } from "node:crypto";
import { hibernateSandbox, restoreVariables } from "@atoll/lifecycle/hibernate";
import {
  AtollError,
  type CreateOptions,
  findDataDir,
  type LostVariable,
  Sandbox,
  type SandboxHandle,
} from "@atoll/sandbox";
import { attachIfAlive } from "./attach-if-alive.ts";
import { sandboxIdOf } from "./session-id.ts";
import { takeLock } from "./session-lock.ts";

/** A session's sandbox with what came back of an earlier one. */
export interface KeptSandbox {
  readonly handle: SandboxHandle;
  /** Variables that are there again. */
  readonly restored: readonly string[];
  /** Variables that are not, with the reason. */
  readonly lost: readonly LostVariable[];
  /** The last process ended without putting it to rest: the variables are as old as this. */
  readonly variablesAt?: string;
  /** Variables to a snapshot, files kept, no process left. Gives what could not be kept. */
  rest(): Promise<readonly LostVariable[]>;
  destroy(): Promise<void>;
}

/** Sandboxes of sessions have these, and not the label by which a server knows its own: it leaves them alone. */
const SESSION_LABEL = "atoll.session";
const OPTIONS_LABEL = "atoll.session.options";

/** Finds the sandbox of this session, alive or at rest, or makes it. Fails with `busy` while another process has it. */
export async function openKeptSandbox(sessionId: string, options: CreateOptions): Promise<KeptSandbox> {
  const id = sandboxIdOf(sessionId);
  const release = await takeLock(findDataDir(options.dataDir), id);
  if (!release)
    throw new AtollError(
      "busy",
      `the session "${sessionId}" is open in another place: close it there, or take another sessionId`,
    );
  try {
    const { handle, ...found } = await open(id, sessionId, options);
    const end = async (keepFiles: boolean) => {
      await handle.destroy({ keepFiles });
      await release();
    };
    return {
      handle,
      ...found,
      async rest() {
        const lost = await hibernateSandbox(handle);
        await end(true);
        return lost;
      },
      destroy: () => end(false),
    };
  } catch (error) {
    await release();
    throw error;
  }
}

type Found = Pick<KeptSandbox, "handle" | "restored" | "lost" | "variablesAt">;

async function open(id: string, sessionId: string, options: CreateOptions): Promise<Found> {
  const { runtime, dataDir, egress } = options;
  const place = {
    runtime,
    dataDir,
  };
  const labels = { [SESSION_LABEL]: sessionId, [OPTIONS_LABEL]: digestOf(options) };
  const [listing] = await Sandbox.list({ ...place, ids: [id] });
  if (listing && listing.info.labels[SESSION_LABEL] !== sessionId)
    throw new AtollError("already_exists", `the sandbox ${id} is no session's: take another sessionId`);
  if (listing && listing.state !== "dead") {
    // Its process died. Made for the same options it is taken over as it is, else for the new ones.
    const alive = await attachIfAlive(id, { ...place, egress });
    if ((await alive?.state()) === "paused") await alive?.resume();
    if (alive && listing.info.labels[OPTIONS_LABEL] === labels[OPTIONS_LABEL])
      return { handle: alive, restored: [], lost: [] };
    if (alive) await hibernateSandbox(alive);
  }
  const handle = await Sandbox.create({ ...options, id, labels });
  try {
    return { handle, ...((await restoreVariables(handle)) ?? { restored: [], lost: [] }) };
  } catch (error) {
    await handle.destroy({ keepFiles: listing !== undefined });
    throw error;
  }
}

/** What is fixed when a sandbox is made. */
function digestOf({ image, limits, network, datasets, env }: CreateOptions): string {
  const text = JSON.stringify([image, limits, network, datasets, env]);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
