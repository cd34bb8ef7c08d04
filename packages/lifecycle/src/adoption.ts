import { AtollError, type AttachOptions, Sandbox, type SandboxListing } from "@atoll/sandbox";
import type { LifecycleContext } from "./context.ts";
import type { AdoptionResult } from "./contract.ts";
import { attachIfAlive, OWNER_LABEL } from "./ownership.ts";
import type { Waker } from "./wake.ts";

export interface AdoptionOptions {
  /** One for each runtime that threads may have. */
  readonly locations: readonly AttachOptions[];
  readonly owner: string;
  /** Undefined: every sandbox of this owner counts as a thread's. */
  readonly isKnown?: ((threadId: string) => boolean | Promise<boolean>) | undefined;
  /** A sandbox younger than this may belong to a thread that is being created. */
  readonly graceMs: number;
  readonly isLiveOnly: boolean;
  readonly context: LifecycleContext;
  readonly waker: Waker;
  remove(threadId: string, reason: "orphaned"): Promise<void>;
  readonly onProblem: (threadId: string, error: unknown) => void;
}

/** Attaches to the sandboxes that an ended server left alive, and removes orphans. Skips those of other owners. */
export async function adoptSandboxes(options: AdoptionOptions): Promise<AdoptionResult> {
  const { locations, owner, isKnown, isLiveOnly, onProblem } = options;
  const result = { joined: [] as string[], removed: [] as string[], spared: [] as string[] };
  const listings = (await Promise.all(locations.map((location) => Sandbox.list(location))))
    .flat()
    .filter(({ info }) => info.labels[OWNER_LABEL] === owner)
    .filter(({ state }) => state !== "dead" || !isLiveOnly);
  for (const listing of listings) {
    try {
      const isOfThread = !isKnown || (await isKnown(listing.id));
      const outcome = isOfThread ? await join(listing, options) : await removeOrphan(listing, options);
      if (outcome) result[outcome].push(listing.id);
    } catch (error) {
      // Another server owns it, or was faster.
      if (!(error instanceof AtollError && error.code === "not_owner")) onProblem(listing.id, error);
    }
  }
  return result;
}

async function join(
  { id, state }: SandboxListing,
  { context, waker }: AdoptionOptions,
): Promise<"joined" | undefined> {
  const { threads, timers, clock, announce, ownership } = context;
  if (state === "dead") {
    // It may have ended by itself before a server could schedule its expiry. An earlier schedule stays.
    if (!(await timers.isScheduled(id))) timers.scheduleCold(id, clock.now());
    return undefined;
  }
  return threads.run(id, async (thread) => {
    if (thread.live) return undefined;
    const liveState = state === "paused" ? "warm" : "hot";
    const { handle } = await attachIfAlive(id, await ownership.acquire(id));
    if (!handle) return undefined;
    waker.addLive(thread, handle, liveState);
    announce(id, { from: liveState, to: liveState, reason: "adopted" });
    return "joined";
  });
}

async function removeOrphan(
  { id, info }: SandboxListing,
  { graceMs, context, remove }: AdoptionOptions,
): Promise<"removed" | "spared"> {
  const { clock, timers } = context;
  const dueAtMs = Date.parse(info.createdAt) + graceMs;
  if (dueAtMs > clock.now()) {
    timers.scheduleOrphan(id, dueAtMs);
    return "spared";
  }
  await remove(id, "orphaned");
  return "removed";
}
