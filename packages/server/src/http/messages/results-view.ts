import type { z } from "zod";
import type { resultSchema, StoredEvent } from "@atoll/protocol";

export type Result = z.infer<typeof resultSchema>;

/** The tables, images and files that an event of a run tells of. */
export function toResults(event: StoredEvent): Result[] {
  if (event.type === "artifact") {
    const { call_id, path, size_bytes, mime, hash, url } = event;
    return [{ kind: "artifact", call_id, path, size_bytes, mime, hash, url }];
  }
  if (event.type !== "result") return [];
  const { call_id, table, image } = event;
  return [
    ...(table ? [{ kind: "table" as const, call_id, table }] : []),
    ...(image ? [{ kind: "image" as const, call_id, mime: image.mime, url: image.url }] : []),
  ];
}
