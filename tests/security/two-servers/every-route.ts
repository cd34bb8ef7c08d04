import { expect, it } from "vitest";
import { type Operation, readApi } from "../../support/fuzz/operations.ts";
import { initialize, postMcp } from "../../support/mcp-client.ts";
import type { ServerProcess } from "../../support/server-process.ts";
import type { TwoServers } from "./bench.ts";

/** What anybody may ask, and why. */
const publicByDesign: Readonly<Record<string, string>> = {
  "GET /healthz": "a load balancer asks it; says only that the process answers",
  "GET /readyz": "a load balancer asks it; says only whether to send requests",
  "GET /docs.css": "the style of a page, the same for everybody",
  "GET /shared/{share_id}": "a link is its own key, which the user gave away",
  "GET /ui": "the page, the same for everybody; it is where one logs in",
};
/** 429: to those who guess tokens. */
const refusals = [401, 403, 404, 429];

/** Every operation of the document, asked without a token at the server that has not what it is for, and at the one that has. */
export function describeEveryRoute(servers: () => TwoServers): void {
  it("gets nothing from any operation, at whichever server it asks", async () => {
    const { first, second, authorized } = servers();
    const { operations } = await readApi(first.url, authorized);
    expect(operations.length).toBeGreaterThan(60);
    const got: string[] = [];
    for (const operation of operations)
      for (const target of targetsOf(operation, servers()))
        for (const server of [second, first]) {
          const { status } = await call(server, operation, target);
          const name = `${operation.method} ${operation.path}`;
          if (!refusals.includes(status) && !(name in publicByDesign)) got.push(`${name} → ${status}`);
        }
    expect(got).toEqual([]);
  });

  it("gets nothing that way with the headers of a browser, a proxy or another server either", async () => {
    const { first, second, authorized, owned } = servers();
    const { operations } = await readApi(first.url, authorized);
    const headers: Record<string, string> = {
      "x-forwarded-for": "127.0.0.1",
      "x-forwarded-host": "localhost",
      "x-real-ip": "127.0.0.1",
      "x-atoll-answer": "x",
      "x-atoll-not-owner": "yes",
      "x-http-method-override": "GET",
      "x-original-url": "/healthz",
      cookie: "atoll_session=x; atoll_preview=x",
      authorization: "Bearer x",
      "mcp-session-id": owned.mcpSessionId,
    };
    const got: string[] = [];
    for (const operation of operations)
      for (const target of targetsOf(operation, servers())) {
        const { status } = await call(second, operation, target, headers);
        const name = `${operation.method} ${operation.path}`;
        if (!refusals.includes(status) && !(name in publicByDesign)) got.push(`${name} → ${status}`);
      }
    expect(got).toEqual([]);
  });

  it("gets nothing over MCP, of a session or of a thread", async () => {
    const { first, second, owned } = servers();
    const call = { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} };
    for (const { url } of [first, second])
      for (const path of ["/mcp", `/thread/${owned.threadId}/mcp`])
        for (const session of [undefined, { "mcp-session-id": owned.mcpSessionId }])
          for (const body of [initialize, call]) {
            const response = await postMcp(url + path, body, session);
            expect([path, response.status]).toEqual([path, 401]);
            expect(response.headers.get("mcp-session-id")).toBeNull();
          }
  });

  it("sees no preview, and no event of a stream", async () => {
    const { first, second, owned } = servers();
    const targets = [
      `/preview/${owned.sandboxId}/${owned.previewPort}/`,
      `/preview/${owned.sandboxId}/${owned.previewPort}/?atoll_preview=9999999999.x`,
      `/preview/${owned.threadId}/${owned.previewPort}/`,
      `/thread/${owned.threadId}/events`,
      `/thread/${owned.threadId}/events?after=0`,
    ];
    for (const { url } of [first, second])
      for (const target of targets)
        for (const method of ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]) {
          const response = await fetch(url + target, { method, redirect: "manual" });
          expect(refusals, `${method} ${target}`).toContain(response.status);
          expect(response.headers.get("x-from")).toBeNull();
        }
  });

  it("sends no file, whole or in parts, to a thread, a sandbox or the store", async () => {
    const { first, second, owned } = servers();
    const targets = [
      "/uploads",
      `/thread/${owned.threadId}/files?path=/workspace`,
      `/sandboxes/${owned.sandboxId}/files?path=/workspace`,
      "/files/upload?session_id=my-session",
    ];
    for (const { url } of [first, second])
      for (const target of targets) {
        const form = new FormData();
        form.append("files", new Blob(["x".repeat(2_000_000)]), "x.bin");
        const response = await fetch(url + target, { method: "POST", body: form }).catch(() => undefined);
        // A server that has refused need not read the rest.
        if (response) expect(refusals, target).toContain(response.status);
      }
  });

  it("serves whoever has the token all the while", async () => {
    const { second, owned, authorized } = servers();
    for (const target of [`/thread/${owned.threadId}/history`, `/sandboxes/${owned.sandboxId}`, "/settings"])
      expect((await fetch(second.url + target, { headers: authorized })).status).toBe(200);
    const preview = `${second.url}/preview/${owned.sandboxId}/${owned.previewPort}/any`;
    const shown = await (
      await fetch(preview, { headers: { ...authorized, cookie: "atoll_session=x; own=1" } })
    ).text();
    expect(shown).toContain("GET /any HTTP/1.1");
    // What the program inside gets to see.
    for (const secret of [servers().token, "atoll_session", "x-atoll-forwarded"])
      expect(shown.toLowerCase()).not.toContain(secret);
  });
}

/** With the ids of what there is, so that nothing but the token is missing. */
function targetsOf({ path, query }: Operation, { owned }: TwoServers): string[] {
  const known: Record<string, string> = {
    thread_id: owned.threadId,
    sandbox_id: owned.sandboxId,
    file_id: owned.fileId,
    share_id: owned.shareId,
    hash: "0".repeat(64),
    kind: "delete",
    port: String(owned.previewPort),
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => known[name] ?? "unknown-id");
  const needed = query.filter(({ required }) => required);
  const params = new URLSearchParams(
    Object.fromEntries(needed.map(({ name }) => [name, name === "path" ? "/workspace" : "x-known-1"])),
  );
  const target = params.size > 0 ? `${filled}?${params}` : filled;
  return path.includes("/blobs/") ? [target, `${filled}?signature=x&expires=9999999999&name=x`] : [target];
}

async function call(
  { url }: ServerProcess,
  { method, body }: Operation,
  target: string,
  headers: Record<string, string> = {},
): Promise<{ status: number }> {
  const response = await fetch(url + target, {
    method,
    headers: { ...headers, ...(body ? { "content-type": body.type } : {}) },
    redirect: "manual",
    ...(body ? { body: "{}" } : {}),
  });
  await response.body?.cancel();
  return response;
}
