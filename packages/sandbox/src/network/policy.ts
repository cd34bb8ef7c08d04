import { isIP } from "node:net";
import type { NetworkPolicy } from "../contract/network.ts";
import { AtollError } from "../errors.ts";

export interface Place {
  /** In lower case, without a final dot; an address in its usual form, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Whether a policy names this place. Says nothing about where the name leads. */
export type Permission = (place: Place) => boolean;

const usualPorts: readonly number[] = [80, 443];

export function readPolicy(policy: NetworkPolicy): Permission {
  if (policy === "none") return () => false;
  if (policy === "all-public") return ({ port }) => usualPorts.includes(port);
  const rules = policy.allow.map(parseRule);
  return (place) => rules.some((rule) => rule(place));
}

/** Throws `invalid_argument` for what is no policy. */
export function checkPolicy(policy: unknown): NetworkPolicy {
  if (policy === "none" || policy === "all-public") return policy;
  const allow = (policy as { allow?: unknown } | undefined)?.allow;
  if (!Array.isArray(allow) || allow.length > maxRules || allow.some((rule) => typeof rule !== "string"))
    throw invalid(
      `network must be "none", "all-public" or { allow: [hosts] } with at most ${maxRules} hosts`,
    );
  for (const rule of allow as string[]) parseRule(rule);
  return { allow: [...(allow as string[])] };
}

const maxRules = 500;

function parseRule(rule: string): Permission {
  const [, wildcard = "", name = "", port] = /^(\*\.)?(.+?)(?::(\d+))?$/.exec(rule) ?? [];
  const host = name.includes("*") ? undefined : normaliseHost(name);
  const isNumber = host !== undefined && isIP(host) !== 0;
  if (host === undefined || (wildcard && isNumber) || (port !== undefined && !isPort(Number(port))))
    throw invalid(
      `network.allow: ${JSON.stringify(rule)} is no host; write "example.com", "*.example.com" or "example.com:8443"`,
    );
  const ports = port === undefined ? usualPorts : [Number(port)];
  const fits = wildcard ? (given: string) => given.endsWith(`.${host}`) : (given: string) => given === host;
  return (place) => fits(place.host) && ports.includes(place.port);
}

/** Every spelling of a host in one: the way a browser reads it. Undefined for what is none. */
export function normaliseHost(text: string): string | undefined {
  const isIPv6 = isIP(text) === 6;
  if (text === "" || /[\s/?#@\\]/.test(text) || (text.includes(":") && !isIPv6)) return undefined;
  const written = isIPv6 ? `[${text}]` : text;
  const url = URL.parse(`http://${written}`);
  if (!url || url.port !== "" || url.username !== "" || url.pathname !== "/") return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  return host === "" || host.length > 253 ? undefined : host;
}

function invalid(message: string): AtollError {
  return new AtollError("invalid_argument", message);
}

function isPort(port: number): boolean {
  return port > 0 && port < 65_536;
}
