import { checksumOf } from "../store/log/checksum.ts";
import type { EventRow } from "../store/log/line.ts";

/** What is wrong with a stored event, in words; undefined when it is what was stored, as far as can be known. */
export function faultOf(row: EventRow): "is no JSON" | "was changed on disk" | undefined {
  if (!isJson(row.payload)) return "is no JSON";
  const isKnown = typeof row.checksum === "number";
  return isKnown && row.checksum !== checksumOf(row) ? "was changed on disk" : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
