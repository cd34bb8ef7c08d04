/** Where a path of a port is found; the pass that its address carries goes along. */
export function addressOf({ url, path: root }: { url?: string; path: string }, path: string): string {
  const [address = "", pass] = (url ?? root).split("?");
  const [page = "", ...fragment] = path.split("#");
  const query = pass ? `${page.includes("?") ? "&" : "?"}${pass}` : "";
  return `${address.replace(/\/$/, "")}${page}${query}${fragment.length > 0 ? `#${fragment.join("#")}` : ""}`;
}

/** People also paste whole addresses, as the program inside printed them. */
export function readPath(typed: string): string {
  const text = typed.trim().replace(/^(https?:\/\/)?(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):\d+/i, "");
  return text.startsWith("/") ? text : `/${text}`;
}
