import { posix } from "node:path";

/** Of a file in the sandbox. A scheme of its own, since `file:` would mean the client's machine to many. */
const SCHEME = "sandbox://";

export const URI_TEMPLATE = `${SCHEME}{+path}`;

export function toUri(path: string): string {
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  return SCHEME + (encoded.startsWith("/") ? encoded : `/${encoded}`);
}

/** Without `..` in it. Undefined for an address of something else. */
export function toPath(uri: string): string | undefined {
  if (!uri.startsWith(`${SCHEME}/`)) return undefined;
  try {
    return posix.normalize(decodeURIComponent(uri.slice(SCHEME.length)));
  } catch {
    return undefined;
  }
}
