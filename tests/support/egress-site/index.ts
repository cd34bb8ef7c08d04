import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import { gzipSync } from "node:zlib";
import { makeWheel } from "./package-index.ts";
import { makeRepository, serveGit } from "./git-server.ts";

export interface EgressSite {
  /** Where it is on this machine: for `addresses` of the egress options. */
  readonly url: string;
  /** What `/simple/` and `/git/` want as `Authorization`. */
  readonly secret: string;
  /** Method and path of each request, in their order. */
  readonly asked: string[];
  /** Of the repository that `/git/project.git` serves. */
  readonly repository: string;
  close(): Promise<void>;
}

/** A site on loopback: pages that misbehave, and, for clients with the secret, a package index and a git server. */
export async function openEgressSite(): Promise<EgressSite> {
  const folder = await mkdtemp(join(tmpdir(), "atoll-site-"));
  const secret = `Bearer ${randomBytes(12).toString("hex")}`;
  const asked: string[] = [];
  await makeWheel(join(folder, "simple/atoll-probe"));
  const repository = await makeRepository(join(folder, "git/project.git"));
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const path = normalize(new URL(request.url ?? "/", "http://x").pathname);
    const isGuarded = path.startsWith("/simple/") || path.startsWith("/git/");
    if (isGuarded && request.headers.authorization !== secret) {
      response.writeHead(401, { "www-authenticate": 'Bearer realm="site"' }).end("who are you?");
    } else if (path.startsWith("/git/")) serveGit(join(folder, "git"), request, response);
    else if (path.startsWith("/simple/")) void serveFile(folder, path, response);
    else servePage(path, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secret,
    asked,
    repository,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

function servePage(path: string, request: IncomingMessage, response: ServerResponse): void {
  const json = { "content-type": "application/json" };
  const leads = /^\/to\/(.+)$/.exec(path);
  if (leads) response.writeHead(302, { location: decodeURIComponent(leads[1] ?? "") }).end();
  else if (path === "/hello") response.end("hello");
  else if (path === "/headers") response.writeHead(200, json).end(JSON.stringify(request.headers));
  else if (path === "/echo") request.pipe(response.writeHead(200, { "content-type": "text/plain" }));
  else if (path === "/loop") response.writeHead(302, { location: "/loop" }).end();
  else if (path === "/picture")
    response.writeHead(200, { "content-type": "image/png" }).end(Buffer.alloc(3000, 0x89));
  else if (path === "/packed")
    response.writeHead(200, { ...json, "content-encoding": "gzip" }).end(gzipSync('{"packed":true}'));
  else if (path === "/large") response.end("x".repeat(3 * 1024 * 1024));
  else if (path === "/broken")
    response.writeHead(200, { "content-length": "100" }).write("half", () => response.destroy());
  else if (path !== "/silent") response.writeHead(404, json).end('{"error":"no such page"}');
}

async function serveFile(folder: string, path: string, response: ServerResponse): Promise<void> {
  const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
  const content = await readFile(file).catch(() => undefined);
  if (!content) return void response.writeHead(404).end();
  response.writeHead(200, file.endsWith(".html") ? { "content-type": "text/html" } : {}).end(content);
}
