import {
  AtollError,
  type CreateOptions,
  type EgressOptions,
  type NetworkPolicy,
  Sandbox,
  type SandboxHandle,
} from "@atoll/sandbox";
import type { Clock } from "./clock.ts";

/** With several servers: this server owns the thread. */
export interface ThreadLease {
  /** Rises from owner to owner; see `fence` of the sandbox's options. */
  readonly fence: number;
  /** Since when this server owns it. */
  readonly sinceMs: number;
}

/** What a thread's sandbox may reach, and the host's part of it. */
export interface ThreadNetwork {
  readonly policy: NetworkPolicy;
  readonly egress: EgressOptions;
}

/** The options of a thread's sandbox that its owner sets. */
export type OwnerOptions = Pick<
  CreateOptions,
  "dataDir" | "runtime" | "labels" | "orphanTimeoutMs" | "fence" | "network" | "egress"
>;

export interface OwnershipOptions {
  /** The same for every thread. */
  readonly shared: Omit<OwnerOptions, "fence" | "network" | "egress">;
  /** Undefined: this is the only server. */
  readonly acquireLease: ((threadId: string) => Promise<ThreadLease>) | undefined;
  readonly clock: Clock;
  /** The runtime of a thread that has its own. */
  readonly runtimeOf?: ((threadId: string) => Promise<string | undefined>) | undefined;
  /** Undefined: no thread has a network. */
  readonly network?: ((threadId: string) => ThreadNetwork) | undefined;
}

/** The label that names the installation a sandbox belongs to. Sandboxes without it are never removed. */
export const OWNER_LABEL = "atoll.owner";

/** For a guest that is slow to end. */
const ORPHAN_SLACK_MS = 2000;

/** Makes sure, before a sandbox is touched, that this server owns its thread. */
export class Ownership {
  readonly #options: OwnershipOptions;

  constructor(options: OwnershipOptions) {
    this.#options = options;
  }

  /**
   * Resolves with the options to create or attach the thread's sandbox with. Rejects with `not_owner` if another server
   * owns the thread. `likeThreadId`: takes the runtime of that thread, for a thread without settings yet.
   */
  async acquire(threadId: string, likeThreadId = threadId): Promise<OwnerOptions> {
    const { acquireLease } = this.#options;
    const fence = acquireLease && (await acquireLease(threadId)).fence;
    const shared = await this.#sharedOptions(likeThreadId);
    return { ...shared, ...(fence !== undefined && { fence }), ...this.networkOptions(threadId) };
  }

  /** Only the owner knows the thread's settings. */
  network(threadId: string): ThreadNetwork | undefined {
    return this.#options.network?.(threadId);
  }

  /** `likeThreadId`: takes the policy of that thread, for a thread without settings yet. */
  networkOptions(threadId: string, likeThreadId = threadId): Pick<OwnerOptions, "network" | "egress"> {
    const egress = this.network(threadId)?.egress;
    const policy = this.network(likeThreadId)?.policy ?? "none";
    // `none` is left out: some drivers cannot enforce any policy and refuse to be given one.
    return { ...(egress && { egress }), ...(policy !== "none" && { network: policy }) };
  }

  /**
   * A server that died on another machine may have left the sandbox running there, out of reach. The sandbox ends itself
   * after `orphanTimeoutMs` without a connection: waits until then, so that it never runs twice.
   */
  async waitForOrphan(threadId: string): Promise<void> {
    const { acquireLease, clock } = this.#options;
    const { labels: _, orphanTimeoutMs, ...location } = await this.#sharedOptions(threadId);
    if (!acquireLease || orphanTimeoutMs === undefined) return;
    const [listing] = await Sandbox.list({ ...location, ids: [threadId] });
    if (!listing?.isElsewhere) return;
    const { sinceMs } = await acquireLease(threadId);
    const leftMs = sinceMs + orphanTimeoutMs + ORPHAN_SLACK_MS - clock.now();
    if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, leftMs));
  }

  async #sharedOptions(threadId: string): Promise<OwnershipOptions["shared"]> {
    const { shared, runtimeOf } = this.#options;
    const runtime = await runtimeOf?.(threadId);
    return runtime === undefined ? shared : { ...shared, runtime };
  }
}

/** Attaches to the sandbox without creating it. `exists`: it is alive, or its files are kept. */
export async function attachIfAlive(
  id: string,
  { dataDir, runtime, fence, network = "none", egress }: OwnerOptions,
): Promise<{ handle?: SandboxHandle; exists: boolean }> {
  const options = { dataDir, runtime, fence, ...(egress === undefined ? {} : { egress, network }) };
  try {
    return { handle: await Sandbox.attach(id, options), exists: true };
  } catch (error) {
    if (!(error instanceof AtollError)) throw error;
    if (error.code === "not_found") return { exists: false };
    if (error.code === "sandbox_dead") return { exists: true };
    throw error;
  }
}

/** Whether the sandbox is alive or its files are kept. */
export async function hasSandbox(id: string, options: OwnerOptions): Promise<boolean> {
  const { handle, exists } = await attachIfAlive(id, options);
  await handle?.detach();
  return exists;
}
