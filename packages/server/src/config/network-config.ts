import { resolve } from "node:path";
import {
  AtollError,
  checkPolicy,
  type EgressOptions,
  narrowPolicy,
  type NetworkPolicy,
} from "@atoll/sandbox";
import { readEgressFile } from "./egress-file.ts";
import type { Environment } from "./environment.ts";

/** What sandboxes may reach. */
export interface NetworkConfig {
  /** Of threads that ask for nothing else. */
  readonly usual: NetworkPolicy;
  /** No thread and no program gets more; absent: whatever they ask for. */
  readonly widest?: NetworkPolicy;
  /** With secrets: not to be printed. */
  readonly egress: EgressOptions;
}

export function readNetworkConfig(
  given: { usual: string; widest: string | undefined; egressFile: string | undefined },
  location: { cwd: string; environment: Environment },
  faults: string[],
): NetworkConfig {
  const usual = readPolicy("ATOLL_NETWORK", given.usual, faults);
  const widest =
    given.widest === undefined ? undefined : readPolicy("ATOLL_NETWORK_MAX", given.widest, faults);
  if (widest !== undefined && narrowPolicy(usual, widest) !== usual)
    faults.push(
      "ATOLL_NETWORK: it allows more than ATOLL_NETWORK_MAX does: narrow the first or widen the second",
    );
  const file = given.egressFile;
  const egress = file === undefined ? {} : readEgressFile(resolve(location.cwd, file), location.environment);
  if ("fault" in egress) faults.push(`ATOLL_EGRESS_FILE: ${egress.fault}`);
  return {
    usual,
    widest,
    egress: "fault" in egress ? {} : egress,
  };
}

/** `none`, `all-public`, or hosts with commas. */
function readPolicy(variable: string, text: string, faults: string[]): NetworkPolicy {
  if (text === "none" || text === "all-public") return text;
  const allow = text
    .split(",")
    .map((host) => host.trim())
    .filter(Boolean);
  try {
    return checkPolicy({ allow });
  } catch (error) {
    if (!(error instanceof AtollError)) throw error;
    faults.push(`${variable}: ${error.message}`);
    return "none";
  }
}
