import { type HttpContext, nodeObjects } from "../environment.ts";
import type { LeaseKey } from "../../cluster/contract.ts";

/** Path and query as they came over the wire. */
export function targetOf(c: HttpContext): string {
  const raw = nodeObjects(c).incoming?.url;
  if (raw?.startsWith("/")) return raw;
  const { pathname, search } = new URL(c.req.url);
  return pathname + search;
}

const idPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** The thread or sandbox that a request is for; undefined when any server can answer it. */
export function keyOf(c: HttpContext): LeaseKey | undefined {
  const [, kind, encoded = ""] = c.req.path.split("/");
  if (c.req.path === "/mcp") return keyOfSession(c.req.header("mcp-session-id"));
  if (kind !== "thread" && kind !== "sandboxes") return undefined;
  const id = decodeURIComponent(encoded);
  if (!idPattern.test(id) || (kind === "thread" && id === "new")) return undefined;
  return kind === "thread" ? `thread:${id}` : `sandbox:${id}`;
}

/** An MCP session is where its sandbox is, which has the session's id. */
function keyOfSession(id = ""): LeaseKey | undefined {
  return idPattern.test(id) ? `sandbox:${id}` : undefined;
}
