import { AtollError, checkPolicy, type NetworkPolicy } from "@atoll/sandbox";
import type { Networks } from "../../network/networks.ts";
import { ApiError } from "../errors/api-error.ts";

/** A policy that a request asks for: one that there is, and no more than the operator allows. */
export function chooseNetwork(networks: Networks, asked: unknown): NetworkPolicy {
  const policy = check(asked);
  const reason = networks.whyTooWide(policy);
  if (reason === undefined) return policy;
  throw new ApiError("forbidden", reason, {
    hint: "Ask for less. The operator sets the most with ATOLL_NETWORK_MAX; see docs/network.md.",
  });
}

function check(asked: unknown): NetworkPolicy {
  try {
    return checkPolicy(asked);
  } catch (error) {
    if (!(error instanceof AtollError)) throw error;
    throw new ApiError("invalid_argument", error.message, {
      hint: "Name hosts without https:// and path, or use none or all-public; see docs/network.md.",
      cause: error,
    });
  }
}
