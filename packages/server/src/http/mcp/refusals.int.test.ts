import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { findFreePort } from "../../../../../tests/support/free-port.ts";
import { connectMcp, initialize, postMcp } from "../../../../../tests/support/mcp-client.ts";
import { makeSandboxDir, startMcpServer } from "./http-clients.harness.ts";

let place: Awaited<ReturnType<typeof makeSandboxDir>>;
beforeAll(async () => {
  place = await makeSandboxDir();
});
afterAll(() => place.remove());

const start = (options: Partial<Parameters<typeof startMcpServer>[1]> = {}) =>
  startMcpServer(onTestFinished, { sandboxDir: place.dir, ...options });

describe("what is refused", () => {
  it("is a session that the server does not know, so that its client begins anew", async () => {
    const port = await findFreePort();
    const first = await start({ port });
    const { client, transport } = await connectMcp(`${first.url}/mcp`);
    await client.ping();
    await first.close();
    expect(await first.apiSandboxes.list()).toEqual([]);
    const second = await start({ port });
    await expect(client.ping()).rejects.toMatchObject({ code: 404 });
    const again = await connectMcp(`${second.url}/mcp`);
    expect(again.transport.sessionId).not.toBe(transport.sessionId);
    expect(await again.python("print('新')")).toBe("新");
  });

  it("is a body that is no message, in the protocol's form", async () => {
    const { url, problems } = await start();
    const at = `${url}/mcp`;
    for (const body of ["{", "", '"\\ud800"']) {
      const refused = await postMcp(at, body);
      expect(refused.status, body).toBe(400);
      expect(await refused.json()).toMatchObject({ jsonrpc: "2.0", error: { code: -32_700 } });
    }
    for (const body of [
      "5",
      "[]",
      "null",
      '{"jsonrpc":"2.0"}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    ])
      expect((await postMcp(at, body)).status, body).toBe(400);
    expect((await postMcp(at, [initialize, initialize])).status).toBe(400);
    expect((await postMcp(at, initialize, { "content-type": "text/plain" })).status).toBe(415);
    expect((await postMcp(at, initialize, { accept: "text/html" })).status).toBe(406);
    expect((await postMcp(at, " ".repeat(9 * 1024 * 1024))).status).toBe(413);
    expect((await postMcp(at, initialize, { "mcp-session-id": "../../etc" })).status).toBe(404);
    expect((await fetch(at, { headers: { accept: "text/event-stream" } })).status).toBe(400);
    expect((await fetch(at, { method: "DELETE" })).status).toBe(400);
    const put = await fetch(at, { method: "PUT" });
    expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, POST, DELETE"]);
    expect(problems).toEqual([]);
  });

  it("is whoever has no token, another site's page, and another Host", async () => {
    const token = "a-token-of-enough-length";
    const guarded = await start({ config: { token, isLoopback: false } });
    expect((await postMcp(`${guarded.url}/mcp`, initialize)).status).toBe(401);
    const { python } = await connectMcp(`${guarded.url}/mcp`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await python("6 * 7")).toBe("42");
    const open = await start();
    expect((await postMcp(`${open.url}/mcp`, initialize, { origin: "https://evil.example" })).status).toBe(
      403,
    );
  });

  it("is a tool's hostile input, and the session goes on", async () => {
    const { url, problems } = await start();
    const { client, call, python } = await connectMcp(`${url}/mcp`);
    for (const args of [
      { code: null },
      { code: "1", timeout_seconds: -1 },
      JSON.parse('{"__proto__": {"code": "1"}}'),
    ])
      expect(await call("execute_python", args)).toMatchObject({ isError: true });
    await expect(client.callTool({ name: "no\nsuch" })).rejects.toMatchObject({ code: -32_602 });
    await expect(client.readResource({ uri: "sandbox:///etc/shadow" })).rejects.toThrow();
    expect(await python("print('文' * 200_000)")).toContain("characters left out");
    expect(await python("1 + 1")).toBe("2");
    expect(problems).toEqual([]);
  });
});

describe("many sessions", () => {
  it("make room for a new one: the least recently used ends", async () => {
    const { McpSessions } = await import("./sessions.ts");
    const { createSessionServer } = await import("./session-server.ts");
    const ended: string[] = [];
    const sessions = new McpSessions({ idleMs: 60_000, maxSessions: 2, onProblem() {} });
    onTestFinished(() => sessions.close());
    const address = {
      name: "test",
      open: async (id: string) =>
        createSessionServer({
          open: () => Promise.reject(new Error("never")),
          isThere: () => false,
          tools: [],
          rules: () => [],
          context: {},
          onProblem() {},
          end: async () => void ended.push(id),
        }),
    };
    const begin = async () => {
      const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };
      const request = new Request("http://localhost/mcp", { method: "POST", headers });
      const response = await sessions.handle(address, request, initialize);
      return response.headers.get("mcp-session-id") ?? "";
    };
    const ids = [await begin(), await begin(), await begin()];
    expect(sessions.count).toBe(2);
    expect(ended).toEqual([ids[0]]);
  });
});
