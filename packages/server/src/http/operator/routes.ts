import { jobListSchema, jobParams, operatorSandboxesSchema, revivedSchema } from "@atoll/protocol/schemas";
import { hidePaths } from "../errors/describe-failure.ts";
import { toWireMetrics } from "../wire.ts";
import type { RouteContext } from "../api/route-context.ts";

const tag = "Operator";

/** For whoever runs the server: what goes on behind the threads. */
export function addOperatorRoutes({ api, services, config }: RouteContext): void {
  const { threadSandboxes, threads } = services;

  api.add(
    {
      method: "get",
      path: "/operator/jobs",
      operationId: "listJobs",
      tag,
      summary: "What is going to happen to threads' sandboxes, and what failed for good",
      result: jobListSchema,
    },
    async () => ({
      jobs: (await threadSandboxes.jobs()).map((job) => ({
        thread_id: job.sandboxId,
        kind: job.kind,
        state: job.state,
        tries: job.tries,
        due_at: job.dueAt,
        scheduled_at: job.scheduledAt,
        ...(job.lastError === undefined ? {} : { last_error: hidePaths(job.lastError, config.dataDir) }),
      })),
    }),
  );

  api.add(
    {
      method: "post",
      path: "/operator/jobs/{thread_id}/{kind}/revive",
      operationId: "reviveJob",
      tag,
      summary: "Give a job that failed for good all its tries again",
      params: jobParams,
      result: revivedSchema,
      errors: ["not_found"],
    },
    async ({ params }) => ({ revived: await threadSandboxes.reviveJob(params.thread_id, params.kind) }),
  );

  api.add(
    {
      method: "get",
      path: "/operator/sandboxes",
      operationId: "listThreadSandboxes",
      tag,
      summary: "The sandboxes of threads that are hot or warm, with their memory",
      result: operatorSandboxesSchema,
    },
    async () => {
      const [living, count] = await Promise.all([threadSandboxes.list(), threads.count()]);
      const hot = living.filter(({ state }) => state === "hot").length;
      return {
        counts: { hot, warm: living.length - hot, cold: Math.max(0, count - living.length) },
        sandboxes: living.map(({ threadId, state, since, lastUsedAt, isInUse, metrics }) => ({
          thread_id: threadId,
          state: state === "warm" ? ("warm" as const) : ("hot" as const),
          is_in_use: isInUse,
          since,
          last_used_at: lastUsedAt,
          ...(metrics ? { metrics: toWireMetrics(metrics) } : {}),
        })),
      };
    },
  );
}
