import type { z } from "zod";
import {
  approvalBody,
  approvalListSchema,
  approvalParams,
  approvalResultSchema,
  threadParams,
} from "@atoll/protocol/schemas";
import type { Decision } from "../../threads/contract.ts";
import type { Services } from "../services.ts";
import { ApiError } from "../errors/api-error.ts";
import { requireThread, type RouteContext } from "../api/route-context.ts";

const tag = "Messages";

export function addApprovalRoutes({ api, services }: RouteContext): void {
  const { runner } = services;

  api.add(
    {
      method: "get",
      path: "/thread/{thread_id}/approvals",
      operationId: "listApprovals",
      tag,
      summary: "Tool calls that wait for a decision",
      params: threadParams,
      result: approvalListSchema,
      errors: ["not_found"],
    },
    ({ params }) => listApprovals(services, requireThread(services, params.thread_id).id),
  );

  api.add(
    {
      method: "post",
      path: "/thread/{thread_id}/approvals/{approval_id}",
      operationId: "decideApproval",
      tag,
      summary: "Allow or deny a tool call that waits for a decision",
      description:
        "The first decision counts. With `input` the call runs with other arguments; with `remember` the thread gets a rule and nobody is asked again.",
      params: approvalParams,
      body: approvalBody,
      result: approvalResultSchema,
      errors: ["not_found", "invalid_argument"],
      example: { decision: "allow" },
    },
    async ({ params, body }) => {
      const { id } = requireThread(services, params.thread_id);
      const decision = withoutAbsent(body) as Decision;
      if (!(await runner.decide(id, params.approval_id, decision)))
        throw notWaiting(services, id, params.approval_id);
      return { approval_id: params.approval_id, decision: body.decision };
    },
  );
}

function listApprovals(services: Services, threadId: string): z.infer<typeof approvalListSchema> {
  const { runId = "", approvals } = services.runner.activity(threadId);
  return {
    thread_id: threadId,
    approvals: approvals.map((open) => ({
      approval_id: open.approvalId,
      run_id: runId,
      call_id: open.callId,
      tool: open.tool,
      input: open.input,
      agent: open.agent,
      parent_call_id: open.parentCallId,
      asked_at: open.askedAt,
      expires_at: open.expiresAt,
    })),
  };
}

/** Somebody was faster, or its time was up, or there never was one. */
function notWaiting(services: Services, threadId: string, approvalId: string): ApiError {
  const decided = services.log
    .read(threadId, { types: ["approval_decided"] })
    .find((event) => event.type === "approval_decided" && event.approval_id === approvalId);
  const hint = "GET /thread/{thread_id}/approvals lists those that wait.";
  if (decided?.type !== "approval_decided")
    return new ApiError("not_found", `no approval ${approvalId} waits in this thread`, { hint });
  const { decision, by = "user" } = decided;
  const message = `approval ${approvalId} has been decided already: ${decision} (${deciders[by]})`;
  return new ApiError("not_found", message, { hint: `The first decision counts. ${hint}` });
}

const deciders = {
  user: "by a user",
  rule: "by a rule",
  timeout: "nobody decided in time",
  end: "its run ended",
};

function withoutAbsent(body: z.infer<typeof approvalBody>): Partial<z.infer<typeof approvalBody>> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
