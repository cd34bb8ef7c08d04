import { hostDriver } from "@atoll/sandbox";
import {
  contextBody,
  newSandboxBody,
  removedSchema,
  removeSandboxQuery,
  restoredSchema,
  sandboxListSchema,
  sandboxParams,
  sandboxSchema,
  snapshotSchema,
} from "@atoll/protocol/schemas";
import { ApiError } from "../errors/api-error.ts";
import { toLimits, toWireSandbox } from "../wire.ts";
import { chooseNetwork } from "../settings/choose-network.ts";
import type { RouteContext } from "../api/route-context.ts";

const tag = "Sandboxes";

export function addSandboxRoutes({ api, services }: RouteContext): void {
  const { apiSandboxes, uploads } = services;
  const findFile = async (fileId: string) => {
    const upload = await uploads.get(fileId);
    if (!upload)
      throw new ApiError("not_found", `there is no file ${JSON.stringify(fileId)}`, {
        hint: "Upload it first: POST /upload.",
      });
    await uploads.verify(upload);
    return [upload.name, uploads.hostPath(fileId)] as const;
  };
  const findFiles = async (fileIds: readonly string[]) =>
    Object.fromEntries(await Promise.all(fileIds.map(findFile)));

  api.add(
    {
      method: "post",
      path: "/sandboxes",
      operationId: "createSandbox",
      tag,
      summary: "Make a sandbox for a program, without an agent",
      description:
        "It lives on when the server restarts. With the `id` of one that has ended, its files are reopened.",
      body: newSandboxBody.optional(),
      result: sandboxSchema,
      status: 201,
      errors: ["forbidden", "not_found", "already_exists", "not_supported", "runtime_unavailable"],
      example: { limits: { memory_bytes: 536870912 } },
    },
    async ({ body = {}, signal }) => {
      const { id: wanted, runtime, mode, limits, env, file_ids: fileIds, labels } = body;
      const network = body.network && chooseNetwork(services.networks, body.network);
      if (runtime !== undefined) refuseUnprotected(runtime);
      const { id, handle } = await apiSandboxes.create({
        signal,
        id: wanted,
        runtime,
        mode,
        ...(limits === undefined ? {} : { limits: toLimits(limits) }),
        env,
        ...(fileIds === undefined ? {} : { datasets: await findFiles(fileIds) }),
        labels,
        network,
      });
      return toWireSandbox(id, handle.info, "running");
    },
  );

  api.add(
    {
      method: "get",
      path: "/sandboxes",
      operationId: "listSandboxes",
      tag,
      summary: "List programs' sandboxes: running, paused, or dead with their files kept",
      result: sandboxListSchema,
    },
    async () => ({
      sandboxes: (await apiSandboxes.list()).map(({ id, info, state }) => toWireSandbox(id, info, state)),
    }),
  );

  api.add(
    {
      method: "get",
      path: "/sandboxes/{sandbox_id}",
      operationId: "getSandbox",
      tag,
      summary: "A sandbox and its state",
      params: sandboxParams,
      result: sandboxSchema,
      errors: ["not_found"],
    },
    async ({ params }) => {
      const { id, info, state } = await apiSandboxes.find(params.sandbox_id);
      return toWireSandbox(id, info, state);
    },
  );

  api.add(
    {
      method: "delete",
      path: "/sandboxes/{sandbox_id}",
      operationId: "deleteSandbox",
      tag,
      summary: "End a sandbox and remove its files",
      params: sandboxParams,
      query: removeSandboxQuery,
      result: removedSchema,
      errors: ["not_found"],
    },
    async ({ params, query }) => {
      await apiSandboxes.remove(params.sandbox_id, { keepFiles: query.keep_files ?? false });
      services.recentTraffic.forget(params.sandbox_id);
      return { removed: true };
    },
  );

  const states = {
    pause: "Freeze every process in memory",
    resume: "Let a paused sandbox go on",
  } as const;
  for (const verb of ["pause", "resume"] as const) {
    api.add(
      {
        method: "post",
        path: `/sandboxes/{sandbox_id}/${verb}`,
        operationId: `${verb}Sandbox`,
        tag,
        summary: states[verb],
        params: sandboxParams,
        result: sandboxSchema,
        errors: ["not_found", "not_supported", "sandbox_dead"],
      },
      ({ params, signal }) =>
        apiSandboxes.use(params.sandbox_id, async (sandbox) => {
          await sandbox[verb]({ signal });
          return toWireSandbox(params.sandbox_id, sandbox.info, await sandbox.state());
        }),
    );
  }

  api.add(
    {
      method: "post",
      path: "/sandboxes/{sandbox_id}/snapshot",
      operationId: "snapshotSandbox",
      tag,
      summary: "Save the variables of a kernel to a file",
      params: sandboxParams,
      body: contextBody.optional(),
      example: { context: "default" },
      result: snapshotSchema,
      errors: ["not_found", "busy", "not_supported", "sandbox_dead", "sandbox_paused"],
    },
    ({ params, body, signal }) =>
      apiSandboxes.use(params.sandbox_id, async (sandbox) => {
        const { path, sizeBytes, saved, lost, durationMs } = await sandbox.snapshot({
          ...contextOf(body),
          signal,
        });
        return { path, size_bytes: sizeBytes, saved: [...saved], lost: [...lost], duration_ms: durationMs };
      }),
  );

  api.add(
    {
      method: "post",
      path: "/sandboxes/{sandbox_id}/restore",
      operationId: "restoreSandbox",
      tag,
      summary: "Bring a kernel's saved variables back",
      params: sandboxParams,
      body: contextBody.optional(),
      example: { context: "default" },
      result: restoredSchema,
      errors: ["not_found", "busy", "snapshot_invalid", "not_supported", "sandbox_dead", "sandbox_paused"],
    },
    ({ params, body, signal }) =>
      apiSandboxes.use(params.sandbox_id, async (sandbox) => {
        const { restored, lost, durationMs } = await sandbox.restore({ ...contextOf(body), signal });
        return { restored: [...restored], lost: [...lost], duration_ms: durationMs };
      }),
  );
}

/** Code without a boundary is for whoever runs the server to allow, never for a request to ask for. */
function refuseUnprotected(runtime: string): void {
  if (![hostDriver.name, "none"].includes(runtime)) return;
  throw new ApiError(
    "forbidden",
    `the runtime ${runtime} has no boundary, so that no request may choose it`,
    {
      hint: "Leave `runtime` out. The server itself can be set to it with SANDBOX_RUNTIME.",
    },
  );
}

function contextOf(body: { context?: string | undefined } | undefined): { context?: string } {
  return body?.context === undefined ? {} : { context: body.context };
}
