import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Hono } from "hono";

/** Made by `npm run setup` from packages/web. */
const builtFolder = join(import.meta.dirname, "../../../../web/dist");

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Only our own scripts and styles; pictures and data only from this server; frames only for what sandboxes show, and for PDF. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "frame-src 'self' blob: http://*.localhost:*",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * Charts are drawn from what a sandbox describes, and such descriptions may hold expressions: they run in a frame without
 * an origin, which reaches nothing but our own scripts.
 */
const chartPolicy = [
  "sandbox allow-scripts",
  "default-src 'none'",
  "script-src 'self' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src data: blob:",
  "frame-ancestors 'self'",
].join("; ");

/** HTML of a sandbox: it may look as it likes, but no script of it runs, and nothing is loaded for it. */
const htmlPolicy = [
  "sandbox allow-scripts",
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src data:",
  "font-src data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join("; ");

const policies: Readonly<Record<string, string>> = { "chart.html": chartPolicy, "html.html": htmlPolicy };

/**
 * The page at `/ui` and its parts, read when the server starts: what is not in the folder is not found. `isLive`: read
 * at each request, for whoever builds the page while the server runs.
 */
export function createUi(folder = builtFolder, { isLive = false } = {}): Hono {
  const parts = isLive ? undefined : new Map(listParts(folder).map((name) => [name, readPart(folder, name)]));
  const find = (name: string): Part | undefined => {
    if (parts) return parts.get(name);
    return listParts(folder).includes(name) ? readPart(folder, name) : undefined;
  };
  const serve = async (name: string, request: Request): Promise<Response | undefined> => {
    const part = find(name);
    if (!part) return undefined;
    const isZipped = /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
    const headers = {
      "content-type": part.type,
      "content-security-policy": policies[name] ?? pagePolicy,
      // The chart's frame has no origin: to its scripts even this server is another one.
      ...(isNamedByContent(name) ? { "access-control-allow-origin": "*" } : {}),
      "cache-control": isNamedByContent(name) ? "public, max-age=31536000, immutable" : "no-cache",
      vary: "accept-encoding",
      etag: part.etag,
      ...(isZipped ? { "content-encoding": "gzip" } : {}),
    };
    if (request.headers.get("if-none-match") === part.etag)
      return new Response(null, { status: 304, headers });
    return new Response(isZipped ? await part.zip() : part.content, { headers });
  };
  return (
    new Hono()
      .get("/", async ({ req, text }) => (await serve("index.html", req.raw)) ?? text(notBuilt, 503))
      // The same page for whoever has a link to one conversation, and no token.
      .get("/shared", async ({ req, text }) => {
        const page = await serve("index.html", req.raw);
        page?.headers.set("x-robots-tag", "noindex");
        return page ?? text(notBuilt, 503);
      })
      .get(
        "/*",
        async ({ req, notFound }) => (await serve(req.path.replace(/^\/(ui\/)?/, ""), req.raw)) ?? notFound(),
      )
  );
}

const notBuilt = "The page has not been built yet. Run: npm run setup\n";
const compress = promisify(gzip);

interface Part {
  readonly type: string;
  readonly etag: string;
  readonly content: Buffer<ArrayBuffer>;
  /** Compressed when somebody first asks for it, and kept. */
  zip(): Promise<Buffer<ArrayBuffer>>;
}

/** The build gives such a part another name with every change. */
function isNamedByContent(name: string): boolean {
  return name.startsWith("assets/");
}

function listParts(folder: string): string[] {
  return existsSync(folder) ? globSync("**/*.*", { cwd: folder }) : [];
}

function digest(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}

function readPart(folder: string, name: string): Part {
  const content = readFileSync(join(folder, name));
  let zipped: Promise<Buffer<ArrayBuffer>> | undefined;
  return {
    type: types[extname(name)] ?? "application/octet-stream",
    etag: `"${isNamedByContent(name) ? basename(name) : digest(content)}"`,
    content,
    zip: () => (zipped ??= compress(content)),
  };
}
