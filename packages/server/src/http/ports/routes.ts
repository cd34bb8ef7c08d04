import type { Sandbox } from "@atoll/sandbox";
import { writePreviewLink } from "../previews/link.ts";
import { portListSchema, sandboxParams, threadParams } from "@atoll/protocol/schemas";
import type { HttpContext } from "../environment.ts";
import { requireThread, type RouteContext } from "../api/route-context.ts";

/** What listens inside, and where a browser finds it. */
export function addPortRoutes({ api, services, config }: RouteContext): void {
  const { apiSandboxes } = services;
  const list = async (c: HttpContext, id: string, { ports }: Sandbox, signal: AbortSignal) => {
    const open = await ports.list({ signal });
    return { ports: [...open], previews: open.map((port) => describe(c, id, port)) };
  };
  const describe = (c: HttpContext, sandboxId: string, port: number) =>
    writePreviewLink(config, { origin: new URL(c.req.url).origin, sandboxId, port });

  api.add(
    {
      method: "get",
      path: "/thread/{thread_id}/ports",
      operationId: "listThreadPorts",
      tag: "Threads",
      summary: "Ports that something in its sandbox listens on, and where a browser finds them",
      params: threadParams,
      result: portListSchema,
      errors: ["not_found", "runtime_unavailable"],
    },
    async ({ c, params, signal }) => {
      const { id } = requireThread(services, params.thread_id);
      // Whoever listened has ended with the sandbox: it is not woken to say so.
      if (services.threadSandboxes.state(id) === "cold") return { ports: [], previews: [] };
      return list(c, id, await services.openSandbox(id), signal);
    },
  );

  api.add(
    {
      method: "get",
      path: "/sandboxes/{sandbox_id}/ports",
      operationId: "listPorts",
      tag: "Sandboxes",
      summary: "Ports that something inside listens on, and where a browser finds them",
      params: sandboxParams,
      result: portListSchema,
      errors: ["not_found", "sandbox_dead"],
    },
    ({ c, params, signal }) =>
      apiSandboxes.use(params.sandbox_id, (sandbox) => list(c, params.sandbox_id, sandbox, signal)),
  );
}
