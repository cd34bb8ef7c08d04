import { threadParams } from "@atoll/protocol/schemas";
import { readJson } from "../api/body.ts";
import type { HttpContext } from "../environment.ts";
import { ApiError } from "../errors/api-error.ts";
import { requireThread, type RouteContext } from "../api/route-context.ts";

const maxBytes = 8 * 1024 * 1024;
const methods = ["GET", "POST", "DELETE"];

/** MCP as Streamable HTTP. A protocol of its own: it is described in docs/mcp.md, not in the OpenAPI document. */
export function addMcpRoutes({ api, services, config }: RouteContext): void {
  const { mcp } = services;
  if (!mcp) return;
  const { idleMs = 30_000 } = config;

  const answer = async (c: HttpContext, route: string, threadId?: string): Promise<Response> => {
    c.set("route", route);
    if (!methods.includes(c.req.method))
      throw new ApiError("method_not_allowed", `MCP does not take ${c.req.method}`, {
        headers: { allow: methods.join(", ") },
      });
    const body = c.req.method === "POST" ? await readBody(c) : undefined;
    return mcp.handle(c.req.raw, {
      ...(body === unreadable ? { isUnreadable: true } : { body }),
      origin: new URL(c.req.url).origin,
      tools: c.req.query("tools"),
      threadId,
    });
  };

  const readBody = async (c: HttpContext): Promise<unknown> => {
    try {
      return (await readJson(c, { maxBytes, idleMs })) ?? unreadable;
    } catch (error) {
      if (error instanceof ApiError && error.code === "bad_request") return unreadable;
      throw error;
    }
  };

  api.app.all("/mcp", (c) => answer(c, "/mcp"));
  api.app.all("/thread/:thread_id/mcp", (c) => {
    const params = threadParams.safeParse(c.req.param());
    if (!params.success) throw new ApiError("not_found", "nothing is at this address");
    const { id } = requireThread(services, params.data.thread_id);
    return answer(c, "/thread/{thread_id}/mcp", id);
  });
}

const unreadable = Symbol("unreadable");
