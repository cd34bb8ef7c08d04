import type { z } from "zod";
import type { threadSummarySchema } from "@atoll/protocol";
import {
  deleteThreadQuery,
  historySchema,
  removedSchema,
  threadChangeBody,
  threadListQuery,
  threadListSchema,
  threadParams,
  threadSchema,
} from "@atoll/protocol/schemas";
import type { Services } from "../services.ts";
import type { ThreadRecord, ThreadSettings } from "../../store/contract.ts";
import { describeTemporary } from "../sessions/view.ts";
import { toWireNetwork } from "../wire.ts";
import { findHistory } from "./history-view.ts";
import { readNotices } from "./notices-view.ts";
import { chooseLimits, toWireLimits } from "../settings/choose-limits.ts";
import { chooseNetwork } from "../settings/choose-network.ts";
import { nameModel, requireThread, type RouteContext } from "../api/route-context.ts";

const tag = "Threads";

export function addThreadRoutes({ api, services }: RouteContext): void {
  const { threads, log, runner } = services;

  api.add(
    {
      method: "get",
      path: "/threads",
      operationId: "listThreads",
      tag,
      summary: "List threads, latest use first, or search them",
      query: threadListQuery,
      result: threadListSchema,
    },
    async ({ query }) => {
      const page = await threads.list({
        limit: query.limit ?? 50,
        before: query.before,
        ...(query.query?.trim() ? { query: query.query } : {}),
        ...(query.temporary ? { isTemporaryToo: true } : {}),
      });
      return {
        threads: page.threads.map((thread) => ({
          ...summarise(services, thread),
          snippet: thread.snippet,
        })),
        cursor: page.cursor,
      };
    },
  );

  api.add(
    {
      method: "get",
      path: "/thread/{thread_id}",
      operationId: "getThread",
      tag,
      summary: "A thread with its files and settings",
      params: threadParams,
      result: threadSchema,
      errors: ["not_found"],
    },
    ({ params }) => describeThread(services, requireThread(services, params.thread_id)),
  );

  api.add(
    {
      method: "patch",
      path: "/thread/{thread_id}",
      operationId: "updateThread",
      tag,
      summary: "Change a thread's title, model, approvals, network or limits",
      params: threadParams,
      body: threadChangeBody,
      result: threadSchema,
      errors: ["forbidden", "not_found"],
      example: { title: "Spending in spring" },
    },
    async ({ params, body }) => {
      const { settings } = requireThread(services, params.thread_id);
      const network = body.network && chooseNetwork(services.networks, body.network);
      const limits = body.limits && chooseLimits(services.threadLimits, body.limits);
      const updated = await threads.update(params.thread_id, {
        settings: replace(replace(changeSettings(settings, body), "network", network), "limits", limits),
        title: body.title,
      });
      if (updated && body.title !== undefined) {
        await log.append(params.thread_id, [{ event: { type: "title", title: body.title } }]);
      }
      if (body.approvals !== undefined || body.approval_rules !== undefined)
        runner.reconsider(params.thread_id);
      if (network !== undefined) await services.threadSandboxes.updateNetwork(params.thread_id);
      return describeThread(services, updated ?? requireThread(services, params.thread_id));
    },
  );

  api.add(
    {
      method: "delete",
      path: "/thread/{thread_id}",
      operationId: "deleteThread",
      tag,
      summary: "Remove a thread: it goes to the trash",
      description:
        "Its run and its sandbox's processes end; files, variables and log can be taken back from the trash for ATOLL_TRASH_DAYS. A temporary thread is gone for good.",
      params: threadParams,
      query: deleteThreadQuery,
      result: removedSchema,
      errors: ["not_found"],
    },
    async ({ params, query }) => {
      const { id, temporary } = requireThread(services, params.thread_id);
      const { sessions, threadTrash } = services;
      const removed =
        temporary && sessions
          ? await sessions.end(id)
          : await threadTrash.put(id, { isNow: query.now ?? false });
      return { removed };
    },
  );

  api.add(
    {
      method: "get",
      path: "/thread/{thread_id}/history",
      operationId: "getHistory",
      tag,
      summary: "The conversation: questions, answers and the code that ran",
      params: threadParams,
      result: historySchema,
      errors: ["not_found"],
    },
    async ({ params }) => {
      const { id } = requireThread(services, params.thread_id);
      return {
        thread_id: id,
        notices: readNotices(log, id),
        messages: await findHistory(log, id, runner.activity(id).runId),
      };
    },
  );
}

function summarise(services: Services, thread: ThreadRecord): z.infer<typeof threadSummarySchema> {
  return {
    thread_id: thread.id,
    title: thread.title,
    created_at: thread.createdAt,
    updated_at: thread.updatedAt,
    message_count: thread.messageCount,
    sandbox_status: services.threadSandboxes.state(thread.id),
    ...(thread.parent
      ? { parent_thread_id: thread.parent.threadId, parent_message_id: thread.parent.messageId }
      : {}),
  };
}

async function describeThread(
  services: Services,
  thread: ThreadRecord,
): Promise<z.infer<typeof threadSchema>> {
  const files = await services.uploads.ofThread(thread.id);
  return {
    ...summarise(services, thread),
    model: nameModel(services, thread.settings.model),
    approvals: thread.settings.approvals ?? "off",
    approval_rules: [...(thread.settings.approvalRules ?? [])],
    network: toWireNetwork(services.networks.ofThread(thread.settings.network)),
    limits: toWireLimits(services.threadLimits.of(thread.settings)),
    max_limits: toWireLimits(services.threadLimits.most),
    runtime: thread.settings.runtime,
    files: files.map(({ fileId, name, sizeBytes }) => ({
      file_id: fileId,
      filename: name,
      size_bytes: sizeBytes,
    })),
    ...(await describeTemporary(services, thread)),
  };
}

function changeSettings(settings: ThreadSettings, change: z.infer<typeof threadChangeBody>): ThreadSettings {
  const { model, approvals, approvalRules, ...others } = settings;
  const newModel = change.model === undefined ? model : (change.model ?? undefined);
  const newApprovals = change.approvals ?? approvals;
  const newRules = change.approval_rules ?? approvalRules;
  return {
    ...others,
    model: newModel,
    approvals: newApprovals,
    approvalRules: newRules,
  };
}

/** Undefined: as it is. Null: what the server gives to threads. */
function replace<Name extends keyof ThreadSettings>(
  settings: ThreadSettings,
  name: Name,
  change: ThreadSettings[Name] | null,
): ThreadSettings {
  if (change === undefined) return settings;
  const { [name]: _, ...others } = settings;
  return change === null ? others : { ...others, [name]: change };
}
