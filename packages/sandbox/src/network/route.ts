import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import type { EgressOptions, NetworkPolicy } from "../contract/network.ts";
import { isPublicAddress } from "./addresses.ts";
import { readAddresses } from "./egress-options.ts";
import { normaliseHost } from "./host.ts";
import { type Permission, type Place, readPolicy } from "./policy.ts";

/** Where a request goes for good: the address was checked, and is the one that is connected to. */
export interface Route {
  readonly host: string;
  readonly address: string;
  readonly port: number;
  /** The operator's own server for this host: how to speak to it. */
  readonly scheme?: "http" | "https";
  /** A service of the caller's: its stream is taken instead of a connection to the address. */
  readonly open?: () => Promise<Duplex>;
}

export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Of what is no address: whoever takes it for one gets nowhere. */
const noAddress = "service.invalid";

/** Decides by name first, and only then asks for the address: a name that is not allowed is told to no name server. */
export class Routes {
  readonly #isAllowed: Permission;
  readonly #own: ReadonlyMap<string, URL>;
  readonly #services: NonNullable<EgressOptions["services"]>;
  readonly #resolve: Resolve;

  constructor(policy: NetworkPolicy, options: EgressOptions, resolve: Resolve = resolveName) {
    this.#isAllowed = readPolicy(policy);
    this.#own = readAddresses(options.addresses ?? {});
    this.#services = options.services ?? {};
    this.#resolve = resolve;
  }

  async find(written: Place): Promise<Route> {
    const host = normaliseHost(written.host);
    if (host === undefined) throw new Refusal(400, `${JSON.stringify(written.host)} is no host`);
    const { port } = written;
    const service = Object.hasOwn(this.#services, host) ? this.#services[host] : undefined;
    if (service) return { host, address: noAddress, port, scheme: "http", open: () => service(port) };
    if (!this.#isAllowed({ host, port }))
      throw new Refusal(403, `the network policy of this sandbox does not allow ${host}:${port}`);
    const own = this.#own.get(host);
    if (own) return toOwnRoute(host, own);
    const addresses = isIP(host) ? [host] : await this.#resolve(host);
    if (addresses.length === 0) throw new Refusal(502, `there is no host ${host}`);
    const address = addresses.find(isPublicAddress);
    if (address === undefined)
      throw new Refusal(403, `${host} leads to an address that is not public, which no sandbox may reach`);
    return { host, address, port };
  }
}

export type Resolve = (host: string) => Promise<readonly string[]>;

async function resolveName(host: string): Promise<readonly string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}

function toOwnRoute(host: string, url: URL): Route {
  const scheme = url.protocol === "https:" ? "https" : "http";
  const port = url.port === "" ? (scheme === "https" ? 443 : 80) : Number(url.port);
  return { host, address: url.hostname.replace(/^\[|\]$/g, ""), port, scheme };
}
