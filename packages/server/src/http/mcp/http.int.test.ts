import { Sandbox } from "@atoll/sandbox";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { connectMcp, initialize, postMcp } from "../../../../../tests/support/mcp-client.ts";
import { makeSandboxDir, startMcpServer } from "./http-clients.harness.ts";

let place: Awaited<ReturnType<typeof makeSandboxDir>>;
beforeAll(async () => {
  place = await makeSandboxDir();
});
afterAll(() => place.remove());

const start = (options: Partial<Parameters<typeof startMcpServer>[1]> = {}) =>
  startMcpServer(onTestFinished, { sandboxDir: place.dir, ...options });

describe("a session over HTTP", () => {
  it("keeps files and variables from call to call, in a sandbox of its own", async () => {
    const { url, apiSandboxes, problems } = await start();
    const one = await connectMcp(`${url}/mcp`);
    const other = await connectMcp(`${url}/mcp`);
    expect(await apiSandboxes.list()).toEqual([]);
    await Promise.all([one.python("x = '一'; open('f', 'w').write(x)"), other.python("x = '二'")]);
    expect(await one.python("print(x)")).toBe("一");
    expect(await other.python("import os; print(x, os.path.exists('f'))")).toBe("二 False");
    expect(await apiSandboxes.list()).toHaveLength(2);
    await one.transport.terminateSession();
    await expect.poll(async () => (await apiSandboxes.list()).length).toBe(1);
    expect(await other.python("print(x)")).toBe("二");
    expect(problems).toEqual([]);
  });

  it("streams progress, and a cancellation ends the work in the sandbox", async () => {
    const { url, apiSandboxes } = await start();
    const { client, call, transport } = await connectMcp(`${url}/mcp`);
    const stop = new AbortController();
    const heard = Promise.withResolvers<void>();
    const running = client.callTool(
      { name: "execute_shell", arguments: { command: "echo 开始; exec sleep 5432" } },
      undefined,
      { signal: stop.signal, onprogress: ({ message }) => message === "开始" && heard.resolve() },
    );
    running.catch(() => {});
    await heard.promise;
    const count = () =>
      apiSandboxes.use(
        transport.sessionId ?? "",
        async ({ processes }) =>
          (await processes.list()).filter(({ commandLine }) => commandLine.includes("sleep 5432")).length,
      );
    expect(await count()).toBe(1);
    stop.abort();
    await expect(running).rejects.toThrow();
    await expect.poll(count).toBe(0);
    expect((await call("execute_shell", { command: "echo on" })).text).toBe("on");
  });

  it("asks over the stream of the call that a rule speaks of", async () => {
    const { url } = await start({ rules: () => [{ tool: "execute_shell", permission: "ask" }] });
    const asked: string[] = [];
    const { call } = await connectMcp(`${url}/mcp`, {
      decide(message) {
        asked.push(message);
        return { action: "accept", content: { decision: asked.length === 1 ? "allow" : "deny" } };
      },
    });
    expect(await call("execute_shell", { command: "echo a" })).toMatchObject({ text: "a", isError: false });
    expect(await call("execute_shell", { command: "echo a" })).toMatchObject({ isError: true });
    const mute = await connectMcp(`${url}/mcp`);
    expect((await mute.call("execute_shell", { command: "echo a" })).text).toMatch(/cannot ask its user/);
  });

  it("works on a thread's sandbox at the thread's address, and only there", async () => {
    const server = await start();
    await using sandbox = await Sandbox.create({ dataDir: place.dir });
    server.runner.sandbox = sandbox.restricted();
    const threadId = await server.newThread();
    await sandbox.python.run("df = 41");
    const address = `${server.url}/thread/${threadId}/mcp`;
    const { python, transport } = await connectMcp(address);
    expect(await python("df + 1")).toBe("42");
    const headers = { "mcp-session-id": transport.sessionId ?? "", "mcp-protocol-version": "2025-11-25" };
    const ping = { jsonrpc: "2.0", id: 9, method: "ping" };
    expect((await postMcp(address, ping, headers)).status).toBe(200);
    expect((await postMcp(`${server.url}/mcp`, ping, headers)).status).toBe(404);
    expect((await postMcp(`${server.url}/thread/nothing/mcp`, initialize)).status).toBe(404);
    await transport.terminateSession();
    expect(await sandbox.state()).toBe("running");
  });

  it("ends after its time without a request, and takes its sandbox along; a call under way keeps it", async () => {
    const { url, mcp, apiSandboxes } = await start({ idleMs: 1000 });
    const { call, client } = await connectMcp(`${url}/mcp`);
    const heard = Promise.withResolvers<void>();
    const busy = client.callTool(
      { name: "execute_shell", arguments: { command: "echo ready; until [ -e go ]; do sleep 0.05; done" } },
      undefined,
      { onprogress: () => heard.resolve() },
    );
    await heard.promise;
    mcp.sessions.endIdle(performance.now() + 10_000);
    expect(mcp.sessions.count).toBe(1);
    await call("file_write", { file: "go", content: "on\n" });
    await busy;
    mcp.sessions.endIdle(performance.now() + 10_000);
    expect(mcp.sessions.count).toBe(0);
    await expect(client.ping()).rejects.toMatchObject({ code: 404 });
    await expect.poll(async () => (await apiSandboxes.list()).length).toBe(0);
  });

  it("goes on with a new sandbox, and the files that are left, when its sandbox dies", async () => {
    const { url, apiSandboxes } = await start();
    const { python, transport } = await connectMcp(`${url}/mcp`);
    await python("open('kept', 'w').write('留'); x = 1");
    await apiSandboxes.use(transport.sessionId ?? "", (sandbox) => sandbox.destroy({ keepFiles: true }));
    await expect.poll(() => python("print(open('kept').read(), 'x' in globals())")).toBe("留 False");
  });

  it("comes back with its last event id and gets the result that it missed", async () => {
    const { url } = await start();
    const opened = await postMcp(`${url}/mcp`, initialize);
    const headers = {
      "mcp-session-id": opened.headers.get("mcp-session-id") ?? "",
      "mcp-protocol-version": "2025-11-25",
    };
    await opened.text();
    await postMcp(`${url}/mcp`, { jsonrpc: "2.0", method: "notifications/initialized" }, headers);
    const call = {
      jsonrpc: "2.0",
      id: 7,
      method: "tools/call",
      params: { name: "execute_python", arguments: { code: "print('错过')" } },
    };
    const cut = await postMcp(`${url}/mcp`, call, headers);
    const reader = cut.body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = (await reader?.read())?.value ?? "";
    const lastId = /^id: (\S+)/m.exec(first)?.[1] ?? "";
    expect(lastId).not.toBe("");
    await reader?.cancel();
    const resume = async () => {
      const response = await fetch(`${url}/mcp`, {
        headers: { ...headers, accept: "text/event-stream", "last-event-id": lastId },
      });
      if (response.status !== 200) return response.status;
      const back = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      while (!text.includes('"id":7')) {
        const { value, done } = (await back?.read()) ?? { done: true };
        if (done) break;
        text += value ?? "";
      }
      await back?.cancel();
      return text;
    };
    // Until the server has noticed that the first connection is gone, it holds on to it.
    await expect.poll(resume, { interval: 200 }).toContain("错过");
  });
});

describe("the tools of a session", () => {
  it("are few, or those that its address names, or all", async () => {
    const { url } = await start();
    const list = async (address: string) => {
      const { tools } = await (await connectMcp(address)).client.listTools();
      return tools.map(({ name }) => name);
    };
    expect(await list(`${url}/mcp`)).toHaveLength(9);
    expect(await list(`${url}/mcp?tools=shell_exec,%20git_status`)).toEqual(["execute_shell", "git_status"]);
    expect(await list(`${url}/mcp?tools=all`)).toEqual(
      expect.arrayContaining(["mcp_execute", "preview_url"]),
    );
    const refused = await postMcp(`${url}/mcp?tools=rm_rf`, initialize);
    expect([refused.status, ((await refused.json()) as { message: string }).message]).toEqual([
      400,
      expect.stringContaining('no tool "rm_rf"'),
    ]);
  });

  it("know where a browser finds what a program serves", async () => {
    const { url } = await start();
    const { call, transport } = await connectMcp(`${url}/mcp?tools=preview_url`);
    const { port } = new URL(url);
    expect((await call("preview_url", { port: 8000 })).text).toBe(
      `http://8000-${transport.sessionId}.localhost:${port}/\n[Nothing listens on port 8000 yet.]`,
    );
  });
});
