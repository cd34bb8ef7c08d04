import { randomBytes } from "node:crypto";
import { newThreadBody, newThreadSchema } from "@atoll/protocol/schemas";
import { describeTemporary } from "../sessions/view.ts";
import { ApiError } from "../errors/api-error.ts";
import { findGivenFiles, untilRead } from "../uploads/attach-files.ts";
import { readData } from "../thread-data/view.ts";
import { checkRoom, lastingRoom, sessionHint } from "../uploads/quota.ts";
import { chooseLimits } from "../settings/choose-limits.ts";
import { chooseNetwork } from "../settings/choose-network.ts";
import { requireThread, type RouteContext } from "../api/route-context.ts";

export function addNewThreadRoute({ api, services, config }: RouteContext): void {
  api.add(
    {
      method: "post",
      path: "/thread/new",
      operationId: "createThread",
      tag: "Threads",
      summary: "Start a thread with its own sandbox",
      description: "Without `file_ids` it gets the bundled transactions.csv. The body may be left out.",
      body: newThreadBody.optional(),
      result: newThreadSchema,
      errors: ["forbidden", "not_found", "runtime_unavailable"],
      example: { file_ids: ["<file_id>"] },
    },
    async ({ body = {} }) => {
      const startedAt = performance.now();
      const begun = body.temporary ? services.sessions?.begin() : undefined;
      if (body.temporary && !begun)
        throw new ApiError("not_supported", "this server has no temporary threads");
      const network = body.network && chooseNetwork(services.networks, body.network);
      const limits = body.limits && chooseLimits(services.threadLimits, body.limits);
      const settings = {
        model: body.model,
        approvals: body.approvals,
        approvalRules: body.approval_rules,
        network,
        limits,
        runtime: body.runtime,
      };
      const files = await findGivenFiles(services, body.file_ids ?? []);
      const room = begun
        ? { freeBytes: begun.temporary.maxBytes, hint: sessionHint }
        : lastingRoom(services, config, settings);
      checkRoom(files, room);
      const { id } = await services.threads.create({
        ...(begun ?? { id: randomBytes(12).toString("hex") }),
        fileIds: files.map(({ fileId }) => fileId),
        settings,
        title: body.title,
      });
      const preparingAt = performance.now();
      const prepared = await untilRead(
        services.runner.prepare(id),
        body.wait === false ? { profileWaitMs: 0 } : config,
      );
      const preparedMs = performance.now() - preparingAt;
      // Not known before it is ready: until then all the time went to the start.
      const isStarting = services.threadSandboxes.state(id) !== "hot";
      const startupMs = prepared?.wakeMs ?? (isStarting ? preparedMs : 0);
      const data = readData(services, id);
      const names = data && [...data.tables, ...data.others].map(({ file }) => file.replace(/^\/data\//, ""));
      return {
        thread_id: id,
        container_status: services.threadSandboxes.state(id),
        workspace: "/workspace",
        attached_files: [...new Set(names ?? files.map(({ name }) => name))],
        data,
        ...(await describeTemporary(services, requireThread(services, id))),
        timings_ms: {
          container_startup: round(startupMs),
          schema_build: round(Math.max(0, preparedMs - startupMs)),
          total: round(performance.now() - startedAt),
        },
      };
    },
  );
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
