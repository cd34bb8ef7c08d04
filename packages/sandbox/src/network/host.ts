import { isIP } from "node:net";

/** Every spelling of a host in one: the way a browser reads it. Undefined for what is none. */
export function normaliseHost(text: string): string | undefined {
  const isIPv6 = isIP(text) === 6;
  if (text === "" || /[\s/?#@\\]/.test(text) || (text.includes(":") && !isIPv6)) return undefined;
  const written = isIPv6 ? `[${text}]` : text;
  const url = URL.parse(`http://${written}`);
  if (!url || url.port !== "" || url.username !== "" || url.pathname !== "/") return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  return host === "" || host.length > 253 ? undefined : host;
}
