import { validateHeaderName, validateHeaderValue } from "node:http";
import type { Credential, EgressOptions } from "../contract/network.ts";
import { AtollError } from "../errors.ts";
import { checkStrings } from "../guest/arguments.ts";
import { normaliseHost } from "./host.ts";

/** Throws `invalid_argument` for what cannot work. No secret is in the message. */
export function checkEgress(egress: EgressOptions): void {
  readAddresses(egress.addresses ?? {});
  for (const credential of egress.credentials ?? []) checkCredential(credential);
  checkStrings("egress.env", egress.env);
  for (const name of ["maxConnections", "maxRequestsPerMinute", "maxBytes"] as const) {
    const value = egress[name];
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0))
      throw invalid(`egress.${name} must be a whole number above 0`);
  }
}

/** Host → where the operator has it. */
export function readAddresses(addresses: Readonly<Record<string, string>>): Map<string, URL> {
  return new Map(
    Object.entries(addresses).map(([name, address]) => {
      const [host, url] = [normaliseHost(name), URL.parse(address)];
      if (host === undefined || !url || !["http:", "https:"].includes(url.protocol))
        throw invalid(
          `egress.addresses: ${JSON.stringify(name)} must be a host, and what it leads to an http(s) address`,
        );
      return [host, url];
    }),
  );
}

function checkCredential({ host, header = "authorization", value }: Credential): void {
  if (normaliseHost(host) === undefined)
    throw invalid(`egress.credentials: ${JSON.stringify(host)} is no host`);
  try {
    validateHeaderName(header);
    validateHeaderValue(header, value);
  } catch {
    throw invalid(`egress.credentials: the header or the value for ${host} is none that HTTP can carry`);
  }
}

function invalid(message: string): AtollError {
  return new AtollError("invalid_argument", message);
}
