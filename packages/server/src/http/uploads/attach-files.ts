import type { z } from "zod";
import { settleWithin } from "@atoll/std";
import type { dataAddedSchema } from "@atoll/protocol";
import type { Services } from "../services.ts";
import type { UploadRecord } from "../../store/contract.ts";
import type { ReceivedFiles } from "../../uploads/multipart.ts";
import { receiveForm } from "./receive-form.ts";
import { describeTemporary } from "../sessions/view.ts";
import type { HttpContext } from "../environment.ts";
import { ApiError } from "../errors/api-error.ts";
import type { HttpConfig } from "../http-config.ts";
import { describeData } from "../thread-data/view.ts";
import { checkRoom, findRoom, noRoom, type Room } from "./quota.ts";

/** The uploads that a thread is to get. */
export function findGivenFiles(
  { uploads }: Pick<Services, "uploads">,
  fileIds: readonly string[],
): Promise<UploadRecord[]> {
  const find = async (fileId: string) => {
    const file = await uploads.get(fileId);
    if (file) return file;
    throw new ApiError("not_found", `there is no file ${JSON.stringify(fileId)}`, {
      hint: "Upload it first: POST /upload gives its file_id.",
    });
  };
  return Promise.all([...new Set(fileIds)].map(find));
}

/** Receives no more than there is room for. */
export async function receiveUploads(
  c: HttpContext,
  { uploads }: Pick<Services, "uploads">,
  options: { room: Room; maxBytes: number; idleMs: number; isTemporary: boolean; signal: AbortSignal },
): Promise<ReceivedFiles<UploadRecord>> {
  const { room, isTemporary, idleMs, signal } = options;
  const maxBytes = Math.min(options.maxBytes, room.freeBytes);
  const sink = {
    receive: (name: string, content: AsyncIterable<Uint8Array>, limits: { maxBytes: number }) =>
      uploads.receive(name, content, { ...limits, isTemporary }),
    discard: ({ fileId }: UploadRecord) => uploads.remove(fileId),
  };
  return receiveForm(c, { maxBytes, idleMs }, sink, signal).catch((error: unknown) => {
    throw isTooLarge(error) && maxBytes === room.freeBytes ? noRoom(room) : error;
  });
}

/** Gives files to a thread, one request at a time, if there is room for all of them; answers when they are read. */
export async function giveFiles(
  services: Services,
  config: HttpConfig,
  threadId: string,
  files: readonly UploadRecord[],
): Promise<z.infer<typeof dataAddedSchema>> {
  const { runner, sessions, threads, uploads } = services;
  const add = () => addFiles(services, config, threadId, files);
  await (sessions ? sessions.inTurn(threadId, add) : add());
  const reading = runner.prepare(threadId).then(() => runner.hasReadFiles(threadId));
  const isRead = await untilRead(reading, config);
  const thread = threads.get(threadId);
  const all = await uploads.ofThread(threadId);
  return {
    ...(await describeData(services, threadId)),
    files: all.map(({ fileId, name, sizeBytes }) => ({
      file_id: fileId,
      filename: name,
      size_bytes: sizeBytes,
    })),
    is_pending: isRead !== true,
    ...(thread ? await describeTemporary(services, thread) : {}),
  };
}

async function addFiles(
  services: Services,
  config: HttpConfig,
  threadId: string,
  files: readonly UploadRecord[],
): Promise<void> {
  const thread = services.threads.get(threadId);
  if (!thread) throw new ApiError("not_found", `there is no thread ${threadId}`);
  const known = new Set(thread.fileIds);
  const fresh = files.filter(({ fileId }) => !known.has(fileId));
  checkRoom(fresh, await findRoom(services, config, thread));
  await services.threads.addFiles(
    threadId,
    fresh.map(({ fileId }) => fileId),
  );
}

/** Undefined when the time is up first. The files are read all the same; the log says when. */
export function untilRead<Result>(
  preparing: Promise<Result>,
  { profileWaitMs = 5000 }: Pick<HttpConfig, "profileWaitMs">,
): Promise<Result | undefined> {
  return settleWithin(preparing, profileWaitMs, undefined);
}

export function isTooLarge(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === "too_large";
}
