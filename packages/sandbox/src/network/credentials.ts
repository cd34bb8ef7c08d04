import type { Credential } from "../contract/network.ts";
import { normaliseHost } from "./policy.ts";

/** Secrets by host. They leave the host's process only towards that host. */
export class Credentials {
  readonly #byHost: ReadonlyMap<string, Readonly<Record<string, string>>>;

  constructor(credentials: readonly Credential[]) {
    this.#byHost = new Map(
      credentials.map(({ host, header = "authorization", value }) => [
        normaliseHost(host) ?? host,
        { [header.toLowerCase()]: value },
      ]),
    );
  }

  /** The headers for this host; undefined when there are none. */
  of(host: string): Readonly<Record<string, string>> | undefined {
    return this.#byHost.get(normaliseHost(host) ?? "");
  }
}
