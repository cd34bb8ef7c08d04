import { AtollError, type VariableList } from "@atoll/sandbox";
import type { z } from "zod";
import {
  kernelSchema,
  removedSchema,
  threadParams,
  variableListSchema,
  variableParams,
  variableSchema,
} from "@atoll/protocol/schemas";
import { ApiError } from "../errors/api-error.ts";
import { requireThread, type RouteContext } from "../api/route-context.ts";

const tag = "Desk";

/** The kernel that a thread's code runs in. */
export function addKernelRoutes({ api, services }: RouteContext): void {
  const { runner, threadSandboxes } = services;
  const isResting = (threadId: string) => threadSandboxes.state(threadId) === "cold";

  api.add(
    {
      method: "get",
      path: "/thread/{thread_id}/variables",
      operationId: "listVariables",
      tag,
      summary: "The variables of the thread's kernel",
      description:
        "Without modules and without names that begin with an underscore. While the kernel runs code this is refused with `busy`; a sandbox that rests is not woken.",
      params: threadParams,
      result: variableListSchema,
      errors: ["not_found", "busy", "timeout"],
    },
    async ({ params, signal }) => {
      const { id } = requireThread(services, params.thread_id);
      if (isResting(id)) return { thread_id: id, is_awake: false, variables: [], total: 0 };
      const { python } = await services.openSandbox(id);
      return { thread_id: id, is_awake: true, ...toWireVariables(await python.variables({ signal })) };
    },
  );

  api.add(
    {
      method: "delete",
      path: "/thread/{thread_id}/variables/{name}",
      operationId: "deleteVariable",
      tag,
      summary: "Remove a variable from the thread's kernel",
      params: variableParams,
      result: removedSchema,
      errors: ["not_found", "busy", "timeout"],
    },
    async ({ params, signal }) => {
      const { id } = requireThread(services, params.thread_id);
      const { python } = await services.openSandbox(id);
      if (await python.removeVariable(params.name, { signal })) return { removed: true };
      throw new ApiError("not_found", `there is no variable ${JSON.stringify(params.name)}`, {
        hint: "GET /thread/{thread_id}/variables lists those that are there.",
      });
    },
  );

  api.add(
    {
      method: "post",
      path: "/thread/{thread_id}/kernel/restart",
      operationId: "restartKernel",
      tag,
      summary: "Start the thread's kernel anew: variables go, files stay, the tables are loaded again",
      description: "Code that runs ends with the old kernel.",
      params: threadParams,
      result: kernelSchema,
      errors: ["not_found", "runtime_unavailable"],
    },
    async ({ params }) => {
      const { id } = requireThread(services, params.thread_id);
      await runner.restartKernel(id);
      return { thread_id: id, is_done: true };
    },
  );

  api.add(
    {
      method: "post",
      path: "/thread/{thread_id}/kernel/interrupt",
      operationId: "interruptKernel",
      tag,
      summary: "Interrupt what the thread's kernel runs now, as Ctrl-C would",
      description:
        "The code ends with a KeyboardInterrupt, and its run goes on from there. POST /thread/{thread_id}/stop ends the run.",
      params: threadParams,
      result: kernelSchema,
      errors: ["not_found"],
    },
    async ({ params }) => {
      const { id } = requireThread(services, params.thread_id);
      return { thread_id: id, is_done: await runner.interruptKernel(id) };
    },
  );
}

/** Made where user code runs: what makes no sense is left out. */
function toWireVariables({ variables, total }: VariableList): {
  variables: z.infer<typeof variableSchema>[];
  total: number;
} {
  if (!Array.isArray(variables) || !Number.isInteger(total))
    throw new AtollError("protocol_error", "the kernel's answer is no list of variables");
  const wire = variables.flatMap((variable) => {
    const { name, type, kind, shape, sizeBytes, preview } = variable ?? {};
    const parsed = variableSchema.safeParse({
      name,
      type,
      kind,
      shape,
      size_bytes: sizeBytes,
      preview,
    });
    return parsed.data ?? [];
  });
  return { variables: wire, total };
}
