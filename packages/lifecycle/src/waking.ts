import { AtollError, type ErrorCode, type LostVariable, Sandbox, type SandboxHandle } from "@atoll/sandbox";
import type { Claims, CommonOptions } from "./ownership.ts";
import type { WakeOptions } from "./contract.ts";
import { listSnapshots, markAwake } from "./hibernate.ts";
import { allVariables, nameIn } from "./variables.ts";

export interface Opened extends Recovered {
  readonly handle: SandboxHandle;
  readonly from: "new" | "hot" | "warm" | "cold";
  readonly isFresh: boolean;
}

export interface Recovered {
  readonly restored: readonly string[];
  readonly lost: readonly LostVariable[];
  readonly variablesAt?: string;
}

const nothing: Recovered = { restored: [], lost: [] };

/** Joins the sandbox if it lives, else opens its kept files and brings its variables back, else makes it. */
export async function openSandbox(id: string, given: WakeOptions, claims: Claims): Promise<Opened> {
  const common = await claims.take(id);
  const { handle: living, wasKnown } = await findLiving(id, common);
  if (living) {
    const isPaused = (await living.state()) === "paused";
    if (isPaused) await living.resume();
    return { handle: living, from: isPaused ? "warm" : "hot", isFresh: false, ...nothing };
  }
  if (wasKnown) await claims.outwait(id);
  const handle = await Sandbox.create({ ...given, ...common, id });
  const recovered = await recoverVariables(handle);
  const isFresh = recovered === undefined;
  return { handle, from: wasKnown || !isFresh ? "cold" : "new", isFresh, ...(recovered ?? nothing) };
}

/** Whether there is anything of this id, and the sandbox if it lives. */
export async function findLiving(
  id: string,
  { dataDir, runtime, fence, network = "none", egress }: CommonOptions,
): Promise<{ handle?: SandboxHandle; wasKnown: boolean }> {
  const place = {
    dataDir,
    runtime,
    fence,
    ...(egress === undefined ? {} : { egress, network }),
  };
  try {
    return { handle: await Sandbox.attach(id, place), wasKnown: true };
  } catch (error) {
    if (hasCode(error, ["not_found"])) return { wasKnown: false };
    if (hasCode(error, ["sandbox_dead"])) return { wasKnown: true };
    throw error;
  }
}

/** Alive or with files kept. */
export async function hasSandbox(id: string, place: CommonOptions): Promise<boolean> {
  const { handle, wasKnown } = await findLiving(id, place);
  await handle?.detach();
  return wasKnown;
}

/** Undefined when there is no snapshot. What cannot be restored is lost, but keeps no sandbox from waking. */
export async function recoverVariables(handle: SandboxHandle): Promise<Recovered | undefined> {
  const snapshots = await listSnapshots(handle);
  if (snapshots.length === 0) return undefined;
  const restored: string[] = [];
  const lost: LostVariable[] = [];
  let variablesAt: string | undefined;
  for (const { context, takenAt, isCurrent } of snapshots) {
    if (context !== "default") await handle.python.createContext({ name: context });
    try {
      const back = await handle.restore({ context });
      restored.push(...back.restored.map((name) => nameIn(context, name)));
      lost.push(...back.lost.map((variable) => ({ ...variable, name: nameIn(context, variable.name) })));
      if (!isCurrent && (!variablesAt || takenAt < variablesAt)) variablesAt = takenAt;
    } catch (error) {
      if (!(error instanceof AtollError) || error.code === "sandbox_dead") throw error;
      lost.push({ name: nameIn(context, allVariables), type: "", reason: error.message });
    }
  }
  await markAwake(handle);
  if (restored.length === 0 && lost.length === 0) return { restored, lost };
  return { restored, lost, variablesAt };
}

function hasCode(error: unknown, codes: readonly ErrorCode[]): boolean {
  return error instanceof AtollError && codes.includes(error.code);
}
