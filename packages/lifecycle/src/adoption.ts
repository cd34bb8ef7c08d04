import { AtollError, type AttachOptions, Sandbox, type SandboxListing } from "@atoll/sandbox";
import type { Arrivals } from "./wake.ts";
import type { Adopted } from "./contract.ts";
import { ownerLabel } from "./labels.ts";
import type { Parts } from "./context.ts";
import { findLiving } from "./waking.ts";

export interface AdoptionOptions {
  /** Each runtime that threads may have. */
  readonly places: readonly AttachOptions[];
  readonly owner: string;
  /** Absent: every sandbox of this owner is taken for a thread's. */
  readonly isKnown?: ((threadId: string) => boolean | Promise<boolean>) | undefined;
  /** A sandbox younger than this may be of a thread that is being made. */
  readonly graceMs: number;
  readonly isLivingOnly: boolean;
  readonly parts: Parts;
  readonly arrivals: Arrivals;
  remove(threadId: string, reason: "orphaned"): Promise<void>;
  readonly onProblem: (threadId: string, error: unknown) => void;
}

/** Joins what a server that ended has left alive. Touches nothing that is another's. */
export async function adoptSandboxes(options: AdoptionOptions): Promise<Adopted> {
  const { places, owner, isKnown, onProblem } = options;
  const adopted = { joined: [] as string[], removed: [] as string[], spared: [] as string[] };
  const own = (await Promise.all(places.map((place) => Sandbox.list(place))))
    .flat()
    .filter(({ info }) => info.labels[ownerLabel] === owner)
    .filter(({ state }) => state !== "dead" || !options.isLivingOnly);
  for (const listing of own) {
    try {
      const isOfThread = !isKnown || (await isKnown(listing.id));
      const fate = isOfThread ? await join(listing, options) : await end(listing, options);
      if (fate) adopted[fate].push(listing.id);
    } catch (error) {
      // Another server has it, or was quicker.
      if (!(error instanceof AtollError && error.code === "not_owner")) onProblem(listing.id, error);
    }
  }
  return adopted;
}

async function join({ id, state }: SandboxListing, options: AdoptionOptions): Promise<"joined" | undefined> {
  const { parts, arrivals } = options;
  const { residents, mutex, alarms, clock, announce, claims } = parts;
  if (state === "dead") {
    // It may have ended by itself, before anybody could set its alarm. An earlier alarm stays.
    if (!(await alarms.isSetFor(id))) alarms.setForCold(id, clock.now());
    return undefined;
  }
  return mutex.run(id, async () => {
    if (residents.get(id)) return undefined;
    const temperature = state === "paused" ? "warm" : "hot";
    const { handle: living } = await findLiving(id, await claims.take(id));
    if (!living) return undefined;
    arrivals.admit(id, living, temperature);
    announce(id, { from: temperature, to: temperature, reason: "adopted" });
    return "joined";
  });
}

async function end({ id, info }: SandboxListing, options: AdoptionOptions): Promise<"removed" | "spared"> {
  const { graceMs, parts, remove } = options;
  const { clock, alarms } = parts;
  const oldEnoughMs = Date.parse(info.createdAt) + graceMs;
  if (oldEnoughMs > clock.now()) {
    alarms.setForOrphan(id, oldEnoughMs);
    return "spared";
  }
  await remove(id, "orphaned");
  return "removed";
}
