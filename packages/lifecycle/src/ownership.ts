import { type CreateOptions, type EgressOptions, type NetworkPolicy, Sandbox } from "@atoll/sandbox";
import type { Clock } from "./clock.ts";

/** With several servers: that a thread is this server's. */
export interface Claim {
  /** Rises from owner to owner; see `fence` of the sandbox's options. */
  readonly fence: number;
  /** Since when it is this server's. */
  readonly sinceMs: number;
}

/** What every sandbox of threads is made with. */
export type CommonOptions = Pick<
  CreateOptions,
  "dataDir" | "runtime" | "labels" | "orphanTimeoutMs" | "fence" | "network" | "egress"
>;

/** What a thread's sandbox may reach, and the host's part of it. */
export interface ThreadNetwork {
  readonly policy: NetworkPolicy;
  readonly egress: EgressOptions;
}

export interface ClaimsOptions {
  readonly common: Omit<CommonOptions, "fence" | "network" | "egress">;
  /** Absent: there is but one server. */
  readonly claim: ((threadId: string) => Promise<Claim>) | undefined;
  readonly clock: Clock;
  /** Of threads with a runtime of their own. */
  readonly runtimeOf?: ((threadId: string) => Promise<string | undefined>) | undefined;
  /** Absent: no thread has a network. */
  readonly network?: ((threadId: string) => ThreadNetwork) | undefined;
}

/** Asks, before a sandbox is touched, whether it is this server's to touch. */
export class Claims {
  readonly #options: ClaimsOptions;

  constructor(options: ClaimsOptions) {
    this.#options = options;
  }

  /**
   * With what the thread's sandbox is made or joined. Rejects when it is another server's. `likeThreadId`: the runtime of
   * that thread, for one that has no settings yet.
   */
  async take(threadId: string, likeThreadId = threadId): Promise<CommonOptions> {
    const { claim } = this.#options;
    const fence = claim && (await claim(threadId)).fence;
    const common = await this.#commonOf(likeThreadId);
    return { ...common, ...(fence !== undefined && { fence }), ...this.networkOptions(threadId) };
  }

  /** Of a thread that is this server's: only then its settings are known here. */
  network(threadId: string): ThreadNetwork | undefined {
    return this.#options.network?.(threadId);
  }

  /** `likeThreadId`: the policy of that thread, for one that has no settings yet. */
  networkOptions(threadId: string, likeThreadId = threadId): Pick<CommonOptions, "network" | "egress"> {
    const egress = this.network(threadId)?.egress;
    const policy = this.network(likeThreadId)?.policy ?? "none";
    // Nothing is asked for where nothing is wanted: there are drivers that can keep no policy at all.
    return { ...(egress && { egress }), ...(policy !== "none" && { network: policy }) };
  }

  /**
   * A server that died on another machine may have left the sandbox alive there, out of reach. It ends itself when
   * nobody has been connected for `orphanTimeoutMs`: before that it is not made a second time.
   */
  async outwait(threadId: string): Promise<void> {
    const { claim, clock } = this.#options;
    const { labels: _, orphanTimeoutMs, ...place } = await this.#commonOf(threadId);
    if (!claim || orphanTimeoutMs === undefined) return;
    const [listing] = await Sandbox.list({ ...place, ids: [threadId] });
    if (!listing?.isElsewhere) return;
    const { sinceMs } = await claim(threadId);
    const leftMs = sinceMs + orphanTimeoutMs + slackMs - clock.now();
    if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, leftMs));
  }

  async #commonOf(threadId: string): Promise<ClaimsOptions["common"]> {
    const { common, runtimeOf } = this.#options;
    const runtime = await runtimeOf?.(threadId);
    return runtime === undefined ? common : { ...common, runtime };
  }
}

/** For a guest that is slow to end. */
const slackMs = 2000;
