import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { Hono } from "hono";

const folder = join(import.meta.dirname, "../../ui");

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Only our own scripts and styles; images and data only from this server. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The page at `/ui` and its parts, held in memory: what is not in the folder is not found. */
export function createUi(): Hono {
  const files = new Map(readdirSync(folder).map((name) => [name, readPart(name)]));
  const serve = (name: string, request: Request): Response | undefined => {
    const part = files.get(name);
    if (!part) return undefined;
    const headers = {
      "content-type": part.type,
      "content-security-policy": policy,
      "cache-control": "no-cache",
      etag: part.etag,
    };
    if (request.headers.get("if-none-match") === part.etag)
      return new Response(null, { status: 304, headers });
    return new Response(part.content, { headers });
  };
  return new Hono()
    .get("/", ({ req, notFound }) => serve("index.html", req.raw) ?? notFound())
    .get("/:name", ({ req, notFound }) => serve(req.param("name"), req.raw) ?? notFound());
}

function readPart(name: string) {
  const content = readFileSync(join(folder, name));
  const etag = `"${createHash("sha256").update(content).digest("hex").slice(0, 16)}"`;
  return { content, etag, type: types[extname(name)] ?? "application/octet-stream" };
}
