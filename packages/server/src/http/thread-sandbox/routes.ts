import type { z } from "zod";
import { branchBody, branchSchema, threadParams, threadStatusSchema } from "@atoll/protocol/schemas";
import type { Services } from "../services.ts";
import type { BranchedThread } from "../../threads/contract.ts";
import type { ThreadRecord } from "../../store/contract.ts";
import { toSnakeCase, toWireMetrics } from "../wire.ts";
import { nameModel, requireThread, type RouteContext } from "../api/route-context.ts";

const tag = "Threads";

export function addThreadSandboxRoutes({ api, services }: RouteContext): void {
  const { runner } = services;

  api.add(
    {
      method: "get",
      path: "/thread/{thread_id}/status",
      operationId: "getThreadStatus",
      tag,
      summary: "Whether its sandbox is hot, warm or cold, what a wake costs, and what runs",
      params: threadParams,
      result: threadStatusSchema,
      errors: ["not_found"],
    },
    ({ params }) => describeStatus(services, requireThread(services, params.thread_id)),
  );

  api.add(
    {
      method: "post",
      path: "/thread/{thread_id}/wake",
      operationId: "wakeThread",
      tag,
      summary: "Wake its sandbox ahead of its next use",
      params: threadParams,
      result: threadStatusSchema,
      errors: ["not_found", "runtime_unavailable"],
    },
    async ({ params }) => {
      const { id } = requireThread(services, params.thread_id);
      await services.openSandbox(id);
      return describeStatus(services, requireThread(services, id));
    },
  );

  const suspend = {
    method: "post",
    tag,
    summary: "Free the memory of its sandbox: files and variables stay, the next use wakes it",
    params: threadParams,
    result: threadStatusSchema,
    errors: ["not_found", "busy"],
  } as const;
  const suspendThread = async ({ params }: { params: { thread_id: string } }) => {
    const { id } = requireThread(services, params.thread_id);
    await runner.rest(id);
    return describeStatus(services, requireThread(services, id));
  };
  api.add(
    {
      ...suspend,
      path: "/thread/{thread_id}/suspend",
      operationId: "suspendThread",
      description: "Ends commands that run in it. Refused while a message is being answered.",
    },
    suspendThread,
  );
  api.add(
    {
      ...suspend,
      path: "/thread/{thread_id}/rest",
      operationId: "restThread",
      description: "The former name of POST /thread/{thread_id}/suspend. The next version removes it.",
      isDeprecated: true,
    },
    suspendThread,
  );

  api.add(
    {
      method: "post",
      path: "/thread/{thread_id}/branch",
      operationId: "branchThread",
      tag,
      summary: "A new thread from an earlier turn, with its files and variables as they were then",
      description:
        "The log is kept up to and with the answer to `message_id`; with `before`, up to where that message was sent. Whoever edits or regenerates branches before the message and sends the new one. A message that reached a run in its middle stands for that whole run. What could not be brought back is in `lost` and `missing_files`; where the checkpoint of that turn is gone, the nearest one is taken, `is_exact` is false and `state_of` names it.",
      params: threadParams,
      body: branchBody,
      result: branchSchema,
      status: 201,
      errors: ["not_found", "busy", "snapshot_invalid", "runtime_unavailable", "disk_full"],
      example: { message_id: "<message_id>" },
    },
    async ({ params, body }) => {
      const { id } = requireThread(services, params.thread_id);
      const { message_id: messageId, before: isBefore = false, title } = body;
      const branched = await runner.branch(id, {
        messageId,
        isBefore,
        title,
      });
      return describeBranch(branched, requireThread(services, branched.threadId));
    },
  );
}

async function describeStatus(
  services: Services,
  thread: ThreadRecord,
): Promise<z.infer<typeof threadStatusSchema>> {
  const { runId, messageId, queued, approvals } = services.runner.activity(thread.id);
  const { state, since, lastUsedAt, wakeEstimate, metrics, limits } = await services.threadSandboxes.describe(
    thread.id,
  );
  return {
    thread_id: thread.id,
    sandbox_status: state,
    message_count: thread.messageCount,
    run:
      runId && messageId
        ? { run_id: runId, message_id: messageId, approvals: approvals.map(({ approvalId }) => approvalId) }
        : null,
    queued: [...queued],
    model: nameModel(services, thread.settings.model),
    last_event_id: services.log.lastId(thread.id),
    limits: toSnakeCase({ ...limits }) as Record<string, number>,
    sandbox_since: since,
    last_used_at: lastUsedAt,
    ...(wakeEstimate ? { wake: { estimated_ms: round(wakeEstimate.ms), basis: wakeEstimate.basis } } : {}),
    ...(metrics ? { metrics: toWireMetrics(metrics) } : {}),
  };
}

function describeBranch(
  { stateOf, isExact, restored, lost, missingFiles }: BranchedThread,
  thread: ThreadRecord,
): z.infer<typeof branchSchema> {
  return {
    thread_id: thread.id,
    parent_thread_id: thread.parent?.threadId ?? "",
    parent_message_id: thread.parent?.messageId ?? "",
    title: thread.title,
    message_count: thread.messageCount,
    is_exact: isExact,
    state_of: stateOf
      ? { message_id: stateOf.messageId, before: stateOf.isBefore, taken_at: stateOf.takenAt }
      : null,
    restored: [...restored],
    lost: [...lost],
    missing_files: [...missingFiles],
  };
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
