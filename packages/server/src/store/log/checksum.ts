import { crc32 } from "node:zlib";
import type { EventRow } from "./line.ts";

/** Over all that an event says: a flipped bit that leaves valid JSON is noticed by it when the event is read. */
export function checksumOf({ id, type, run_id, at, payload }: Omit<EventRow, "checksum">): number {
  return crc32(payload, crc32(`${id} ${type} ${run_id ?? ""} ${at} `));
}
