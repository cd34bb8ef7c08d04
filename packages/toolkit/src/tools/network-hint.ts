/** What to do about it, when a program's complaint is that it reached no network; else nothing. */
export function networkHint(complaint: string): string {
  return unreachable.test(complaint)
    ? "\n[The sandbox's network policy does not allow this. Ask the user to allow the host, or to put the files into the workspace.]"
    : "";
}

const unreachable =
  /name resolution|could not resolve|name or service not known|network is unreachable|no route to host|failed to establish a new connection|connection refused|failed to connect|proxyerror|tunnel connection failed|connect tunnel failed|from proxy/i;
