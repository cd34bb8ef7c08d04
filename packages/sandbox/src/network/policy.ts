import type { NetworkPolicy } from "../contract/network.ts";
import { AtollError } from "../errors.ts";
import { fitsHost, isRuleWithin, parseRule, usualPorts } from "./rules.ts";

export interface Place {
  /** In lower case, without a final dot; an address in its usual form, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Whether a policy names this place. Says nothing about where the name leads. */
export type Permission = (place: Place) => boolean;

export function readPolicy(policy: NetworkPolicy): Permission {
  if (policy === "none") return () => false;
  if (policy === "all-public") return ({ port }) => usualPorts.includes(port);
  const rules = policy.allow.map(parseRule);
  return ({ host, port }) => rules.some((rule) => fitsHost(rule, host) && rule.ports.includes(port));
}

/** Throws `invalid_argument` for what is no policy. */
export function checkPolicy(policy: unknown): NetworkPolicy {
  if (policy === "none" || policy === "all-public") return policy;
  const allow = (policy as { allow?: unknown } | undefined)?.allow;
  if (!Array.isArray(allow) || allow.length > maxRules || allow.some((rule) => typeof rule !== "string"))
    throw new AtollError(
      "invalid_argument",
      `network must be "none", "all-public" or { allow: [hosts] } with at most ${maxRules} hosts`,
    );
  for (const rule of allow as string[]) parseRule(rule);
  return { allow: [...(allow as string[])] };
}

const maxRules = 500;

/** The part of a policy that another one allows too. The same object where that is all of it. */
export function narrowPolicy(policy: NetworkPolicy, widest: NetworkPolicy): NetworkPolicy {
  if (policy === "none" || widest === "none") return "none";
  if (policy === "all-public") return widest === "all-public" ? policy : narrowPolicy(widest, policy);
  const kept = policy.allow.filter((text) => isAllowedBy(text, widest));
  if (kept.length === policy.allow.length) return policy;
  const others = widest === "all-public" ? [] : widest.allow.filter((text) => isAllowedBy(text, policy));
  const allow = [...new Set([...kept, ...others])];
  return allow.length === 0 ? "none" : { allow };
}

function isAllowedBy(text: string, policy: NetworkPolicy): boolean {
  const rule = parseRule(text);
  if (policy === "all-public") return rule.ports.every((port) => usualPorts.includes(port));
  return policy !== "none" && policy.allow.some((other) => isRuleWithin(rule, parseRule(other)));
}
