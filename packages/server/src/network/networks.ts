import { type EgressOptions, narrowPolicy, type NetworkPolicy, type Traffic } from "@atoll/sandbox";
import type { NetworkConfig } from "../config/network-config.ts";

/** What threads and programs may reach: what they ask for, within what the operator allows. */
export class Networks {
  readonly #config: NetworkConfig;
  readonly #onTraffic: (owner: NetworkOwner, traffic: Traffic) => void;

  constructor(config: NetworkConfig, onTraffic: (owner: NetworkOwner, traffic: Traffic) => void = () => {}) {
    this.#config = config;
    this.#onTraffic = onTraffic;
  }

  /** The most that may be asked for, in words, if this is more than that. */
  whyTooWide(policy: NetworkPolicy): string | undefined {
    const { widest } = this.#config;
    if (widest === undefined || narrowPolicy(policy, widest) === policy) return undefined;
    return `this server allows no more than ${describePolicy(widest)}`;
  }

  /** What holds for a thread's choice, or for none. The operator may have narrowed it since. */
  ofThread(choice: NetworkPolicy = this.#config.usual): NetworkPolicy {
    return this.#narrow(choice);
  }

  /** A program has what it asked for. */
  ofProgram(choice: NetworkPolicy = "none"): NetworkPolicy {
    return this.#narrow(choice);
  }

  /** With secrets: for the sandboxes' host side and nobody else. */
  egress(owner: NetworkOwner): EgressOptions {
    return { ...this.#config.egress, onTraffic: (traffic) => this.#onTraffic(owner, traffic) };
  }

  #narrow(policy: NetworkPolicy): NetworkPolicy {
    const { widest } = this.#config;
    return widest === undefined ? policy : narrowPolicy(policy, widest);
  }
}

export type NetworkOwner = { readonly threadId: string } | { readonly sandboxId: string };

/** In words, for a user. */
function describePolicy(policy: NetworkPolicy): string {
  if (policy === "none") return "no network at all";
  if (policy === "all-public") return "public hosts at ports 80 and 443";
  const shown = policy.allow.slice(0, 20).join(", ");
  return policy.allow.length > 20 ? `${shown} and ${policy.allow.length - 20} more hosts` : shown;
}
