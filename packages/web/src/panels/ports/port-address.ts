/** The address of a path on a port, with the token of the port's own address. */
export function addressOf({ url, path: root }: { url?: string; path: string }, path: string): string {
  const [address = "", pass] = (url ?? root).split("?");
  const [page = "", ...fragment] = path.split("#");
  const query = pass ? `${page.includes("?") ? "&" : "?"}${pass}` : "";
  return `${address.replace(/\/$/, "")}${page}${query}${fragment.length > 0 ? `#${fragment.join("#")}` : ""}`;
}

/** Users may also paste a whole address as the program printed it. */
export function readPath(typed: string): string {
  const text = typed.trim().replace(/^(https?:\/\/)?(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):\d+/i, "");
  return text.startsWith("/") ? text : `/${text}`;
}
