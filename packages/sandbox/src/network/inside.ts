import type { EgressOptions, NetworkPolicy } from "../contract/network.ts";
import { normaliseHost } from "./host.ts";
import { readPolicy } from "./policy.ts";

/** Where the guest has the proxy's end inside. */
const proxyUrl = "http://127.0.0.1:3128";
const own = "localhost,127.0.0.1,::1";

/** How programs inside are told of the proxy; nothing where there is no network. */
export function networkEnv(policy: NetworkPolicy, egress: EgressOptions = {}): Record<string, string> {
  if (policy === "none") return {};
  return {
    HTTP_PROXY: proxyUrl,
    HTTPS_PROXY: proxyUrl,
    http_proxy: proxyUrl,
    https_proxy: proxyUrl,
    NO_PROXY: own,
    no_proxy: own,
    ...hostsEnv(findHosts(policy, egress)),
    ...egress.env,
  };
}

/** Those with a credential. Of a host that cannot be reached nobody inside hears. */
function findHosts(policy: NetworkPolicy, { credentials = [] }: EgressOptions): readonly string[] {
  const isAllowed = readPolicy(policy);
  const hosts = credentials.map(({ host }) => normaliseHost(host) ?? host);
  return [...new Set(hosts)].filter((host) => [80, 443].some((port) => isAllowed({ host, port })));
}

/**
 * To hosts with a credential one speaks plain HTTP as far as the proxy, which adds it and goes on with TLS. Git is told
 * to do so; other programs can read which hosts these are.
 */
function hostsEnv(hosts: readonly string[]): Record<string, string> {
  if (hosts.length === 0) return {};
  const pairs = hosts.flatMap((host, at) => [
    [`GIT_CONFIG_KEY_${at}`, `url.http://${host}/.insteadOf`],
    [`GIT_CONFIG_VALUE_${at}`, `https://${host}/`],
  ]);
  return {
    ATOLL_CREDENTIAL_HOSTS: hosts.join(","),
    GIT_CONFIG_COUNT: String(pairs.length / 2),
    ...(Object.fromEntries(pairs) as Record<string, string>),
  };
}
