import type { Services } from "../services.ts";
import type { ThreadRecord, ThreadSettings } from "../../store/contract.ts";
import { ApiError } from "../errors/api-error.ts";
import type { HttpConfig } from "../http-config.ts";

/** What may still be added to a thread. */
export interface Room {
  readonly freeBytes: number;
  /** Of what kind the limit is, for whoever meets it. */
  readonly hint: string;
}

type Quota = Pick<HttpConfig, "threadQuotaBytes">;

export async function findRoom(
  services: Pick<Services, "sessions" | "threadLimits" | "uploads">,
  config: Quota,
  { id, settings }: ThreadRecord,
): Promise<Room> {
  const freeBytes = await services.sessions?.quota.roomBytes(id);
  if (freeBytes !== undefined) return { freeBytes, hint: sessionHint };
  return lastingRoom(services, config, settings, sumBytes(await services.uploads.ofThread(id)));
}

/** Of a thread that lasts, whose uploads have so many bytes. */
export function lastingRoom(
  { threadLimits }: Pick<Services, "threadLimits">,
  { threadQuotaBytes }: Quota,
  settings: ThreadSettings,
  usedBytes = 0,
): Room {
  const inMemory = threadLimits.dataBytes(settings) ?? Infinity;
  const freeBytes = Math.max(0, Math.min(threadQuotaBytes, inMemory) - usedBytes);
  return { freeBytes, hint: inMemory < threadQuotaBytes ? memoryHint : quotaHint };
}

const quotaHint = "Use fewer files, or raise ATOLL_THREAD_QUOTA_MB.";
const memoryHint =
  "In this runtime files are in the sandbox's memory: use fewer, give it more memory (SANDBOX_AS_MB), or set SANDBOX_RUNTIME to local or docker.";

export const sessionHint =
  "A temporary thread holds little: send less, remove files, use a thread that lasts, or raise SESSION_MAX_BYTES.";

export function checkRoom(files: readonly { readonly sizeBytes: number }[], room: Room): void {
  const bytes = sumBytes(files);
  if (bytes <= room.freeBytes) return;
  const free = `more than the thread has room for (${room.freeBytes})`;
  throw new ApiError("too_large", `the files have ${bytes} bytes, ${free}`, { hint: room.hint });
}

/** For what is still coming in. */
export function noRoom({ freeBytes, hint }: Room): ApiError {
  const message = `the files are larger than what is free in this thread: ${freeBytes} bytes`;
  return new ApiError("too_large", message, { hint, headers: { connection: "close" } });
}

function sumBytes(files: readonly { readonly sizeBytes: number }[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}
