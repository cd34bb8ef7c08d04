import type { PythonContext } from "@atoll/sandbox";
import {
  contextListSchema,
  contextParams,
  contextSchema,
  metricsSchema,
  newContextBody,
  processListSchema,
  removedSchema,
  sandboxParams,
} from "@atoll/protocol/schemas";
import { toSnakeCase, toWireMetrics } from "../wire.ts";
import type { RouteContext } from "../api/route-context.ts";

const tag = "Sandboxes";

/** What is inside a program's sandbox: kernels, processes, ports, figures. */
export function addSandboxInsideRoutes({ api, services }: RouteContext): void {
  const { apiSandboxes } = services;
  const errors = ["not_found", "not_supported", "sandbox_dead", "sandbox_paused"] as const;
  api.add(
    {
      method: "get",
      path: "/sandboxes/{sandbox_id}/metrics",
      operationId: "getSandboxMetrics",
      tag,
      summary: "Processor, memory and disk in use",
      params: sandboxParams,
      result: metricsSchema,
      errors,
    },
    ({ params, signal }) =>
      apiSandboxes.use(params.sandbox_id, async (sandbox) =>
        toWireMetrics(await sandbox.metrics({ signal })),
      ),
  );

  api.add(
    {
      method: "get",
      path: "/sandboxes/{sandbox_id}/contexts",
      operationId: "listContexts",
      tag,
      summary: "The kernels of a sandbox",
      params: sandboxParams,
      result: contextListSchema,
      errors,
    },
    ({ params, signal }) =>
      apiSandboxes.use(params.sandbox_id, async ({ python }) => ({
        contexts: (await python.contexts({ signal })).map(toWireContext),
      })),
  );

  api.add(
    {
      method: "post",
      path: "/sandboxes/{sandbox_id}/contexts",
      operationId: "createContext",
      tag,
      summary: "Start a further kernel with variables of its own",
      params: sandboxParams,
      body: newContextBody.optional(),
      result: contextSchema,
      status: 201,
      errors: [...errors, "already_exists"],
      example: { name: "second" },
    },
    ({ params, body, signal }) =>
      apiSandboxes.use(params.sandbox_id, async ({ python }) =>
        toWireContext(
          await python.createContext({ ...(body?.name === undefined ? {} : { name: body.name }), signal }),
        ),
      ),
  );

  api.add(
    {
      method: "delete",
      path: "/sandboxes/{sandbox_id}/contexts/{context}",
      operationId: "deleteContext",
      tag,
      summary: "End a kernel and forget its variables",
      params: contextParams,
      result: removedSchema,
      errors,
    },
    ({ params, signal }) =>
      apiSandboxes.use(params.sandbox_id, async ({ python }) => {
        await python.removeContext(params.context, { signal });
        return { removed: true };
      }),
  );

  api.add(
    {
      method: "get",
      path: "/sandboxes/{sandbox_id}/processes",
      operationId: "listProcesses",
      tag,
      summary: "What runs inside",
      params: sandboxParams,
      result: processListSchema,
      errors,
    },
    ({ params, signal }) =>
      apiSandboxes.use(params.sandbox_id, async ({ processes }) => ({
        processes: (await processes.list({ signal })).map((each) => toSnakeCase({ ...each }) as never),
      })),
  );
}

function toWireContext({ name, isBusy, executionCount }: PythonContext) {
  return { name, is_busy: isBusy, execution_count: executionCount };
}
