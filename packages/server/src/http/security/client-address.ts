import type { MiddlewareHandler } from "hono";
import type { IncomingMessage } from "node:http";
import { type BlockList, isIP } from "node:net";
import { type HttpContext, type HttpEnvironment, nodeObjects } from "../environment.ts";

/** Notes whose requests this one is counted with; of a forwarded one, what the server says that passed it on. */
export function identifyClient(trustedProxies: BlockList): MiddlewareHandler<HttpEnvironment> {
  return async (c, next) => {
    const client = c.get("forwarded")?.client ?? addressBucket(findClientAddress(c, trustedProxies));
    c.set("client", client);
    await next();
  };
}

/** Who asks: the socket's address, or what proxies that are trusted say of it. Anybody can write X-Forwarded-For. */
export function findClientAddress(c: HttpContext, trustedProxies: BlockList): string {
  return resolveAddress(nodeObjects(c).incoming, c.req.header("x-forwarded-for"), trustedProxies);
}

/** The same of a request that is not the API's. */
export function findAddressOf(request: IncomingMessage, trustedProxies: BlockList): string {
  return resolveAddress(request, [request.headers["x-forwarded-for"] ?? ""].flat().join(), trustedProxies);
}

function resolveAddress(
  incoming: IncomingMessage | undefined,
  forwardedFor: string | undefined,
  trustedProxies: BlockList,
): string {
  const socket = plainAddress(incoming?.socket?.remoteAddress ?? "in-process");
  if (!isTrusted(socket, trustedProxies)) return socket;
  const hops = (forwardedFor ?? "").split(",").map((hop) => plainAddress(hop.trim()));
  const client = hops.toReversed().find((hop) => isIP(hop) === 0 || !isTrusted(hop, trustedProxies));
  return client !== undefined && isIP(client) !== 0 ? client : socket;
}

export function isFromTrustedProxy(c: HttpContext, trustedProxies: BlockList): boolean {
  return isTrusted(plainAddress(nodeObjects(c).incoming?.socket?.remoteAddress ?? ""), trustedProxies);
}

/** One customer has a whole /64 of IPv6, so its addresses count as one. */
export function addressBucket(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = "", tail = ""] = address.split("::");
  const groups = head.split(":").filter(Boolean);
  const missing = 8 - groups.length - tail.split(":").filter(Boolean).length;
  const full = address.includes("::")
    ? [...groups, ...Array.from({ length: missing }, () => "0"), ...tail.split(":")]
    : groups;
  return full.slice(0, 4).join(":");
}

export function isTrusted(address: string, trustedProxies: BlockList): boolean {
  const version = isIP(address);
  return version !== 0 && trustedProxies.check(address, version === 6 ? "ipv6" : "ipv4");
}

/** IPv4 written as IPv6, as a socket that listens on both gives it. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
