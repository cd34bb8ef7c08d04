import { LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { caseContext, caseFiles, toolCases } from "../../tool-cases.harness.ts";
import { connectClient, type ConnectedClient, makeDataDir, textOf } from "./client.harness.ts";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

let place: Awaited<ReturnType<typeof makeDataDir>>;
let shared: ConnectedClient;
beforeAll(async () => {
  place = await makeDataDir();
  const given = join(place.dataDir, "given");
  await mkdir(given);
  for (const [name, content] of Object.entries(caseFiles)) await writeFile(join(given, name), content);
  const datasets = Object.keys(caseFiles).map((name) => join(given, name));
  const { calls: _, ...context } = caseContext;
  shared = await connectClient({ dataDir: place.dataDir, datasets, ...context });
});
afterAll(async () => {
  await shared[Symbol.asyncDispose]();
  await place.remove();
});

const call = (name: string, args: object = {}) =>
  shared.client.callTool({ name, arguments: args as Record<string, unknown> });

describe("every tool over MCP", () => {
  it.each(Object.entries(toolCases))("%s works", async (name, { good, says, prepare }) => {
    if (prepare) await call("execute_shell", { command: prepare });
    const wanted = name === "execute_code" ? /./ : says;
    const result = await call(name, good);
    expect(textOf(result)).toMatch(wanted);
    expect(result.isError).toBe(false);
  });

  it("is listed with what it takes, what it leaves alone, and what it gives where that is certain", async () => {
    const { tools } = await shared.client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(Object.keys(toolCases).toSorted());
    const python = tools.find(({ name }) => name === "execute_python");
    expect(python).toMatchObject({
      title: "Execute python",
      inputSchema: { type: "object", required: ["code"], properties: { code: { type: "string" } } },
      outputSchema: { type: "object", required: ["status", "stdout", "stderr"] },
      annotations: { readOnlyHint: false },
    });
    expect(tools.find(({ name }) => name === "grep")?.annotations?.readOnlyHint).toBe(true);
  });
});

describe("what a call gives", () => {
  it("has its data as structured content, an object in any case", async () => {
    // The client checks it against the tool's own schema, since it has listed the tools.
    await shared.client.listTools();
    const run = await call("execute_python", { code: "print('数据')" });
    expect(run.structuredContent).toMatchObject({ status: "ok", stdout: "数据\n", stderr: "" });
    const found = await call("file_find", { glob: "nothing*" });
    expect(found.structuredContent).toEqual({ data: [] });
  });

  it("has figures as images, and links to the files that it made", async () => {
    const code = "import matplotlib.pyplot as plt\nplt.plot([1])\nopen('报告 1.csv', 'w').write('a')\nNone";
    const { content } = (await call("execute_python", { code })) as { content: Record<string, unknown>[] };
    expect(content).toContainEqual({
      type: "image",
      mimeType: "image/png",
      data: expect.stringMatching(/^iVBOR/),
    });
    const link = content.find(({ type, name }) => type === "resource_link" && name === "报告 1.csv");
    expect(link).toMatchObject({ uri: "sandbox:///workspace/%E6%8A%A5%E5%91%8A%201.csv", size: 1 });
    const { contents } = await shared.client.readResource({ uri: String(link?.["uri"]) });
    expect(contents).toMatchObject([{ mimeType: "text/csv", text: "a" }]);
  });

  it("is cut when it is big, in its text and in its data", async () => {
    const result = await call("execute_python", { code: "print('文' * 1_000_000)" });
    expect(textOf(result).length).toBeLessThan(35_000);
    expect(textOf(result)).toContain("characters left out");
    expect(JSON.stringify(result).length).toBeLessThan(150_000);
    expect(result.structuredContent).toMatchObject({ status: "ok" });
  });

  it("is an error of the tool when the code fails or the arguments do not fit", async () => {
    expect(await call("execute_python", { code: "1/0" })).toMatchObject({ isError: true });
    const misfit = await call("execute_python", { code: 5 });
    expect(misfit).toMatchObject({ isError: true });
    expect(textOf(misfit)).toContain("do not fit execute_python");
  });

  it("is an error of the protocol for a tool that there is not", async () => {
    await expect(call("rm_rf")).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining("Unknown tool: rm_rf"),
    });
    await expect(call("__proto__")).rejects.toMatchObject({ code: -32_602 });
    expect(shared.defects).toEqual([]);
  });

  it("goes by every name that a tool has", async () => {
    expect(textOf(await call("shell_exec", { command: "echo 别名" }))).toBe("别名");
  });
});

describe("while a call runs", () => {
  it("what it prints comes as progress, and its figures rise", async () => {
    const seen: { progress: number; message?: string | undefined }[] = [];
    const code = "import time\nfor word in ['一', '二', '三']:\n    print(word, flush=True); time.sleep(0.3)";
    await shared.client.callTool({ name: "execute_python", arguments: { code } }, undefined, {
      onprogress: (progress) => void seen.push(progress),
    });
    expect(seen.map(({ message }) => message).join("\n")).toBe("一\n二\n三");
    const figures = seen.map(({ progress }) => progress);
    expect(figures).toEqual(figures.toSorted((a, b) => a - b));
    expect(new Set(figures).size).toBe(figures.length);
  });

  it("a flood of output becomes a few messages", async () => {
    let count = 0;
    await shared.client.callTool(
      { name: "execute_shell", arguments: { command: "for i in $(seq 20000); do echo line $i; done" } },
      undefined,
      { onprogress: () => void (count += 1) },
    );
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(200);
  });

  it("a client that asks for it gets what is printed as log messages", async () => {
    const seen: { level: string; logger?: string | undefined; data?: unknown }[] = [];
    shared.client.setNotificationHandler(
      LoggingMessageNotificationSchema,
      ({ params }) => void seen.push(params),
    );
    await call("execute_python", { code: "print('unasked')" });
    await shared.client.setLoggingLevel("info");
    await call("execute_python", { code: "print('asked')" });
    await shared.client.setLoggingLevel("error");
    await call("execute_python", { code: "print('no more')" });
    expect(seen.map(({ data }) => data).join("")).toBe("asked\n");
    expect(seen[0]).toMatchObject({ level: "info", logger: "execute_python" });
  });

  it("a cancellation ends it inside of the sandbox", async () => {
    const stop = new AbortController();
    const mark = "sleep 4321.5";
    const started = Promise.withResolvers<void>();
    const running = shared.client.callTool(
      { name: "execute_shell", arguments: { command: `echo ready; exec ${mark}` } },
      undefined,
      { signal: stop.signal, onprogress: ({ message }) => message?.includes("ready") && started.resolve() },
    );
    running.catch(() => {});
    await started.promise;
    const isRunning = async () =>
      (await shared.session.sandbox.processes.list()).some(({ commandLine }) => commandLine.includes(mark));
    // In the instant of the exec a process has no command line.
    await expect.poll(isRunning).toBe(true);
    stop.abort();
    await expect(running).rejects.toThrow();
    await expect.poll(isRunning).toBe(false);
    // And the next call works.
    expect(textOf(await call("execute_shell", { command: "echo on" }))).toBe("on");
  });

  it("a client that goes away stops its calls", async () => {
    const other = await connectClient({ dataDir: place.dataDir });
    const started = Promise.withResolvers<void>();
    const running = other.client.callTool(
      { name: "execute_shell", arguments: { command: "echo ready; exec sleep 4322" } },
      undefined,
      { onprogress: () => started.resolve() },
    );
    running.catch(() => {});
    await started.promise;
    await other.client.close();
    const { sandbox } = other.session;
    const count = async () =>
      (await sandbox.processes.list()).filter(({ commandLine }) => commandLine.includes("sleep 4322")).length;
    await expect.poll(count).toBe(0);
    await other.session.close();
  });
});
