import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { newThreadBody, newThreadSchema } from "../../schemas/threads.ts";
import type { Services } from "../../services.ts";
import type { UploadRecord } from "../../store/contract.ts";
import { ApiError } from "../errors/api-error.ts";
import type { HttpConfig } from "../http-config.ts";
import { chooseNetwork } from "./network-choice.ts";
import type { RouteContext } from "./route-context.ts";
import { readData } from "./threads.ts";

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
      curl: `-d '{"file_ids": ["<file_id>"]}'`,
    },
    async ({ body = {} }) => {
      const startedAt = performance.now();
      const files = await findFiles(services, config, body.file_ids ?? []);
      const network = body.network && chooseNetwork(services.networks, body.network);
      const { id } = await services.threads.create({
        id: randomBytes(12).toString("hex"),
        fileIds: files.map(({ fileId }) => fileId),
        settings: {
          ...(body.model === undefined ? {} : { model: body.model }),
          ...(body.approvals === undefined ? {} : { approvals: body.approvals }),
          ...(body.approval_rules === undefined ? {} : { approvalRules: body.approval_rules }),
          ...(network === undefined ? {} : { network }),
        },
        ...(body.title === undefined ? {} : { title: body.title }),
      });
      const preparingAt = performance.now();
      const prepared = await untilRead(services.runner.prepare(id), config.profileWaitMs ?? 5000);
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
        ...(data ? { data } : {}),
        timings_ms: {
          container_startup: round(startupMs),
          schema_build: round(Math.max(0, preparedMs - startupMs)),
          total: round(performance.now() - startedAt),
        },
      };
    },
  );
}

async function findFiles(
  services: Services,
  config: HttpConfig,
  fileIds: readonly string[],
): Promise<UploadRecord[]> {
  const find = async (fileId: string) => {
    const file = await services.uploads.get(fileId);
    if (file) return file;
    throw new ApiError("not_found", `there is no file ${JSON.stringify(fileId)}`, {
      hint: "Upload it first: POST /upload gives its file_id.",
    });
  };
  const files = await Promise.all([...new Set(fileIds)].map(find));
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (bytes <= config.threadQuotaBytes) return files;
  throw new ApiError(
    "too_large",
    `the files have ${bytes} bytes, more than a thread may use (${config.threadQuotaBytes})`,
    {
      hint: "Use fewer files, or raise ATOLL_THREAD_QUOTA_MB.",
    },
  );
}

/** Undefined when the time is up first. The files are read all the same; the log tells when. */
async function untilRead<Result>(preparing: Promise<Result>, waitMs: number): Promise<Result | undefined> {
  const timer = new AbortController();
  const late = wait(waitMs, undefined, { signal: timer.signal }).catch(() => undefined);
  try {
    return await Promise.race([preparing, late]);
  } finally {
    timer.abort();
  }
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
