import { isIP } from "node:net";
import { AtollError } from "../errors.ts";
import { normaliseHost } from "./host.ts";

/** One entry of an allow list, as it is meant. */
export interface Rule {
  readonly host: string;
  /** All below the host, and not the host itself. */
  readonly isWildcard: boolean;
  readonly ports: readonly number[];
}

export const usualPorts: readonly number[] = [80, 443];

/** Throws `invalid_argument` for what names no host. */
export function parseRule(text: string): Rule {
  const [, wildcard = "", name = "", port] = /^(\*\.)?(.+?)(?::(\d+))?$/.exec(text) ?? [];
  const host = name.includes("*") ? undefined : normaliseHost(name);
  const isNumber = host !== undefined && isIP(host) !== 0;
  if (host === undefined || (wildcard && isNumber) || (port !== undefined && !isPort(Number(port))))
    throw new AtollError(
      "invalid_argument",
      `network.allow: ${JSON.stringify(text)} is no host; write "example.com", "*.example.com" or "example.com:8443"`,
    );
  return {
    host,
    isWildcard: wildcard !== "",
    ports: port === undefined ? usualPorts : [Number(port)],
  };
}

export function fitsHost({ host, isWildcard }: Rule, given: string): boolean {
  return isWildcard ? given.endsWith(`.${host}`) : given === host;
}

/** Whether all that the first allows, the second allows too. */
export function isRuleWithin(rule: Rule, wider: Rule): boolean {
  const isHostWithin =
    fitsHost(wider, rule.host) || (rule.isWildcard && wider.isWildcard && rule.host === wider.host);
  return (
    isHostWithin &&
    (wider.isWildcard || !rule.isWildcard) &&
    rule.ports.every((port) => wider.ports.includes(port))
  );
}

function isPort(port: number): boolean {
  return port > 0 && port < 65_536;
}
