import type { Credential } from "../contract/network.ts";
import { normaliseHost } from "./host.ts";

/** Secrets by host. They leave the host's process only towards that host. */
export class Credentials {
  readonly #byHost: ReadonlyMap<string, Readonly<Record<string, string>>>;

  constructor(credentials: readonly Credential[]) {
    const byHost = new Map<string, Record<string, string>>();
    for (const { host, header = "authorization", value } of credentials) {
      const name = normaliseHost(host) ?? host;
      byHost.set(name, { ...byHost.get(name), [header.toLowerCase()]: value });
    }
    this.#byHost = byHost;
  }

  /** The headers for this host; undefined when there are none. */
  of(host: string): Readonly<Record<string, string>> | undefined {
    return this.#byHost.get(normaliseHost(host) ?? "");
  }
}
