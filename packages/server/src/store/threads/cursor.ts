import { AtollError } from "@atoll/sandbox";

/** The place of a thread in the list: the page after it holds what was used before it. */
export interface Place {
  readonly usedAt: number;
  readonly key: number;
}

export function writeCursor(place: Place): string {
  return Buffer.from(`${place.usedAt}.${place.key}`).toString("base64url");
}

export function readCursor(cursor: string): Place {
  const [, usedAt, key] = /^(\d{1,15})\.(\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (usedAt === undefined || key === undefined) {
    throw new AtollError("invalid_argument", "The cursor is not one that a list of threads has given.");
  }
  return { usedAt: Number(usedAt), key: Number(key) };
}
