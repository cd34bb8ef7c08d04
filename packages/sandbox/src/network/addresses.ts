import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";

/**
 * Reachable by everybody: not loopback, private, link-local, shared, reserved or multicast, nor one of this machine's own.
 * An IPv6 address that wraps an IPv4 address is judged by that one.
 *
 * @example
 * isPublicAddress("8.8.8.8"); // true
 * isPublicAddress("::ffff:127.0.0.1"); // false
 */
export function isPublicAddress(address: string): boolean {
  const spelled = normalise(address);
  if (spelled === undefined) return false;
  const parsed = ipaddr.parse(spelled);
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === "unicast" && !isOwn(spelled);
  const inner = embeddedIPv4(parsed);
  if (inner !== undefined) return isPublicAddress(inner);
  return parsed.match(GLOBAL_UNICAST) && parsed.range() === "unicast" && !isOwn(spelled);
}

/** All that is given out to the public so far: what ipaddr.js calls unicast has unassigned space in it. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
const NAT64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/** The IPv4 address that a mapped, translated (NAT64) or tunnelled (6to4) IPv6 address leads to. */
function embeddedIPv4(address: ipaddr.IPv6): string | undefined {
  const bytes = address.toByteArray();
  const range = address.range();
  if (range === "ipv4Mapped" || range === "rfc6145" || address.match(NAT64)) return bytes.slice(12).join(".");
  return range === "6to4" ? bytes.slice(2, 6).join(".") : undefined;
}

function isOwn(address: string): boolean {
  return Object.values(networkInterfaces()).some((found) =>
    found?.some((own) => normalise(own.address) === address),
  );
}

/**
 * The one spelling of an address, without its zone; undefined for what is not an address. Node and not ipaddr.js reads it:
 * the latter takes "0x7f.1" for an address, and "::8.8.8.8" for a mapped one.
 */
function normalise(address: string): string | undefined {
  const bare = address.replace(/%.*/s, "");
  const version = isIP(bare);
  if (version === 0) return undefined;
  return version === 4 ? bare : new URL(`http://[${bare}]`).hostname.slice(1, -1);
}
