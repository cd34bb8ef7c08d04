import type { EgressOptions, NetworkPolicy } from "../contract/network.ts";

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
    ...gitEnv((egress.credentials ?? []).map(({ host }) => host)),
  };
}

/** To hosts with a credential git speaks plain HTTP as far as the proxy, which adds it and goes on with TLS. */
function gitEnv(hosts: readonly string[]): Record<string, string> {
  if (hosts.length === 0) return {};
  const pairs = [...new Set(hosts)].flatMap((host, at) => [
    [`GIT_CONFIG_KEY_${at}`, `url.http://${host}/.insteadOf`],
    [`GIT_CONFIG_VALUE_${at}`, `https://${host}/`],
  ]);
  return {
    GIT_CONFIG_COUNT: String(pairs.length / 2),
    ...(Object.fromEntries(pairs) as Record<string, string>),
  };
}
