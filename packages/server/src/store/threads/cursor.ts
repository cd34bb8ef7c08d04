import { AtollError } from "@atoll/sandbox";

/** The position of a thread in the list: the page after it holds what was used before it. */
export interface Position {
  readonly usedAt: number;
  readonly key: number;
}

/** Where a page begins; without a cursor, before the latest of all. */
export function readCursor(cursor: string | undefined): Position {
  if (cursor === undefined) return { usedAt: Number.MAX_SAFE_INTEGER, key: Number.MAX_SAFE_INTEGER };
  const [, usedAt, key] = /^(\d{1,15})\.(\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (usedAt === undefined || key === undefined) {
    throw new AtollError("invalid_argument", "The cursor is not one that a list of threads has given.");
  }
  return { usedAt: Number(usedAt), key: Number(key) };
}

/** The page, and where the next one begins if one of the rows is beyond the limit. */
export function cutPage<Row extends { readonly used_at: number; readonly key: number }>(
  rows: readonly Row[],
  limit: number,
): { page: readonly Row[]; cursor?: string } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  if (last === undefined || rows.length <= limit) return { page };
  return { page, cursor: writeCursor({ usedAt: last.used_at, key: last.key }) };
}

function writeCursor(position: Position): string {
  return Buffer.from(`${position.usedAt}.${position.key}`).toString("base64url");
}
