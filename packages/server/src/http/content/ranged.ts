import { beginStream } from "@atoll/sandbox";
import type { HttpContext } from "../environment.ts";
import { ApiError } from "../errors/api-error.ts";

export interface Content {
  readonly sizeBytes: number;
  /** In quotes. */
  readonly etag: string;
  readonly modifiedAt?: Date;
  readonly headers: Readonly<Record<string, string>>;
  /** `end` is the last byte, as in HTTP. */
  open(range: { start: number; end: number }): ReadableStream<Uint8Array>;
}

/** What it answers beside 200. */
export const rangedStatuses = { 206: "The range asked for", 304: "Nothing has changed" } as const;

/** Answers GET and HEAD: the whole, one range of it, or that nothing changed. */
export async function answerContent(c: HttpContext, content: Content): Promise<Response> {
  const { sizeBytes, etag, modifiedAt } = content;
  const headers: Record<string, string> = { ...content.headers, etag, "accept-ranges": "bytes" };
  if (modifiedAt) headers["last-modified"] = modifiedAt.toUTCString();
  if (isUnchanged(c, content)) return new Response(null, { status: 304, headers });
  const range = isRangeValid(c, content) ? parseRange(c.req.header("range"), sizeBytes) : undefined;
  if (range === "unsatisfiable") {
    throw new ApiError("range_not_satisfiable", `the content has ${sizeBytes} bytes`, {
      headers: { "content-range": `bytes */${sizeBytes}` },
    });
  }
  const { start, end } = range ?? { start: 0, end: sizeBytes - 1 };
  headers["content-length"] = String(end - start + 1);
  if (range) headers["content-range"] = `bytes ${start}-${end}/${sizeBytes}`;
  // Of a file that may grow: a browser that keeps a part asks for no more than it had, whatever it is asked for.
  if (range && modifiedAt) headers["cache-control"] = "no-store";
  const isEmpty = c.req.method === "HEAD" || sizeBytes === 0;
  const body = isEmpty ? null : await beginStream(content.open({ start, end }));
  return new Response(body, { status: range ? 206 : 200, headers });
}

/** Several ranges, or another unit, are passed over: the whole is a right answer to them. */
export function parseRange(
  header: string | undefined,
  sizeBytes: number,
): { start: number; end: number } | "unsatisfiable" | undefined {
  const match = /^bytes=\s*(?:(\d{1,15})\s*)?-\s*(\d{0,15})$/.exec(header?.trim() ?? "");
  if (match === null) return undefined;
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return undefined;
  // Of nothing, the whole is a right answer too.
  if (sizeBytes === 0) return undefined;
  if (first === "") {
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? "unsatisfiable" : { start: sizeBytes - length, end: sizeBytes - 1 };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return undefined;
  if (start >= sizeBytes) return "unsatisfiable";
  return { start, end: last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) };
}

function isUnchanged(c: HttpContext, { etag, modifiedAt }: Content): boolean {
  const known = c.req.header("if-none-match");
  if (known !== undefined)
    return known.split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()));
  const since = Date.parse(c.req.header("if-modified-since") ?? "");
  return modifiedAt !== undefined && Math.floor(modifiedAt.getTime() / 1000) * 1000 <= since;
}

/** With `If-Range` a range counts only for the version that the client has a part of. */
function isRangeValid(c: HttpContext, { etag, modifiedAt }: Content): boolean {
  const condition = c.req.header("if-range")?.trim();
  return condition === undefined || condition === etag || condition === modifiedAt?.toUTCString();
}
