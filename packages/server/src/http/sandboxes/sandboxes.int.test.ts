import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localDriver } from "@atoll/sandbox";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { z } from "zod";
import { describeIf } from "../../../../../tests/support/requirements.ts";
import {
  commandListSchema,
  commandOutputSchema,
  commandResultSchema,
  contextListSchema,
  errorSchema,
  fileListSchema,
  fileSchema,
  metricsSchema,
  portListSchema,
  processListSchema,
  pythonResultSchema,
  restoredSchema,
  sandboxListSchema,
  sandboxSchema,
  snapshotSchema,
} from "@atoll/protocol/schemas";
import { readAs } from "../read-as.harness.ts";
import { makeTestServer, type TestServer } from "../test-server.harness.ts";

const missing = await localDriver.unavailableBecause();

describeIf({ suite: "sandboxes for programs, over HTTP", missing, isRequired: true }, () => {
  const cleanUps: (() => Promise<void>)[] = [];
  let dataDir = "";
  let server: TestServer;
  let id = "";

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "atoll-http-"));
    server = await makeTestServer((cleanUp) => cleanUps.push(cleanUp), { dataDir });
    id = (await readAs(sandboxSchema, server.post("/sandboxes", { labels: { project: "x" } }))).sandbox_id;
  });
  afterAll(async () => {
    await server.services.apiSandboxes.remove(id, { keepFiles: false }).catch(() => {});
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  const at = (rest: string) => `/sandboxes/${id}${rest}`;
  const send = <Schema extends z.ZodType>(schema: Schema, rest: string, body: unknown) =>
    readAs(schema, server.post(at(rest), body));
  const look = <Schema extends z.ZodType>(schema: Schema, rest: string) =>
    readAs(schema, server.ask(at(rest)));
  const content = (path: string, init?: RequestInit) =>
    server.ask(at(`/files/content?path=${encodeURIComponent(path)}`), init);

  it("are made with labels and found in the list, with no path of the host", async () => {
    const { sandboxes } = await readAs(sandboxListSchema, server.ask("/sandboxes"));
    expect(sandboxes).toMatchObject([
      { sandbox_id: id, state: "running", labels: { project: "x" }, mode: "pinned" },
    ]);
    const text = await (await server.ask(at(""))).text();
    expect(text).not.toContain(dataDir);
    expect(text).not.toContain("atoll.owner");
  });

  it("run Python and keep its variables", async () => {
    expect(await send(pythonResultSchema, "/python", { code: "x = 6 * 7; print('hi')" })).toMatchObject({
      status: "ok",
      stdout: "hi\n",
    });
    const run = await send(pythonResultSchema, "/python", {
      code: "import pandas as pd\npd.DataFrame({'a': [x]})",
    });
    expect(run.results[0]?.table).toMatchObject({ rows: [[42]], total_rows: 1 });
    const failed = await send(pythonResultSchema, "/python", { code: "1/0" });
    expect([failed.status, failed.error?.name]).toEqual(["error", "ZeroDivisionError"]);
    const late = await send(pythonResultSchema, "/python", { code: "while True: pass", timeout_ms: 100 });
    expect(late.status).toBe("timeout");
  });

  it("stream the output of Python as it appears", async () => {
    const response = await server.ask(at("/python"), {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream" },
      body: JSON.stringify({ code: "print('live')\n1 + 1" }),
    });
    const frames = (await response.text()).trim().split("\n\n");
    expect(frames.map((frame) => /^event: (\w+)/.exec(frame)?.[1])).toEqual(["output", "result", "code_run"]);
    expect(frames[0]).toContain('"stream":"stdout","text":"live\\n"');
  });

  it("start a command in the background that ends without reading what it is given", async () => {
    const body = { command: ["true"], stdin: "never read", background: true };
    for (let turn = 0; turn < 30; turn += 1)
      expect(await send(commandResultSchema, "/commands", body)).toMatchObject({ status: "running" });
  });

  it("run commands to their end or in the background", async () => {
    const done = await send(commandResultSchema, "/commands", {
      command: "echo $GREETING; exit 3",
      env: { GREETING: "hello" },
    });
    expect(done).toMatchObject({ status: "error", exit_code: 3, stdout: "hello\n" });
    const listed = await send(commandResultSchema, "/commands", {
      command: ["cat"],
      stdin: "given",
      background: false,
    });
    expect(listed.stdout).toBe("given");
    const started = await send(commandResultSchema, "/commands", {
      command: "echo first; sleep 100",
      background: true,
    });
    const path = `/commands/${started.command_id}`;
    let output = await look(commandOutputSchema, path);
    while (!output.stdout.text.includes("first")) output = await look(commandOutputSchema, path);
    expect(output).toMatchObject({ is_running: true, stdout: { offset: 0, next_offset: 6 } });
    expect((await look(commandOutputSchema, `${path}?stdout_offset=6`)).stdout.text).toBe("");
    expect((await server.ask(at(path), { method: "DELETE" })).status).toBe(200);
    let { commands } = await look(commandListSchema, "/commands");
    while (commands.some(({ is_running: isRunning }) => isRunning))
      ({ commands } = await look(commandListSchema, "/commands"));
    expect(commands.map(({ command_id: commandId }) => commandId)).toContain(started.command_id);
    expect((await server.ask(at("/commands/none"))).status).toBe(404);
  });

  it("write, read, move, list and remove files through the guest", async () => {
    const put = await content("notes/a b ü.txt", { method: "PUT", body: "0123456789" });
    expect(await readAs(fileSchema, put)).toMatchObject({
      path: "/workspace/notes/a b ü.txt",
      size_bytes: 10,
      kind: "file",
    });
    const part = await content("notes/a b ü.txt", { headers: { range: "bytes=-4" } });
    expect([part.status, await part.text(), part.headers.get("content-range")]).toEqual([
      206,
      "6789",
      "bytes 6-9/10",
    ]);
    const head = await content("notes/a b ü.txt", { method: "HEAD" });
    expect([head.headers.get("content-length"), await head.text()]).toEqual(["10", ""]);
    const etag = head.headers.get("etag") ?? "";
    expect((await content("notes/a b ü.txt", { headers: { "if-none-match": etag } })).status).toBe(304);
    const moved = await send(fileSchema, "/files/move", { from: "notes/a b ü.txt", to: "notes/b.html" });
    expect(moved.path).toBe("/workspace/notes/b.html");
    const page = await content("notes/b.html");
    expect([page.headers.get("content-disposition"), await page.text()]).toEqual([
      expect.stringMatching(/^attachment/),
      "0123456789",
    ]);
    const list = await look(fileListSchema, "/files?path=/workspace&recursive=true");
    expect(list.files.map(({ path }) => path)).toEqual(["/workspace/notes", "/workspace/notes/b.html"]);
    expect((await content("notes", { method: "DELETE" })).status).toBe(200);
    expect((await content("notes", { method: "DELETE" })).status).toBe(404);
  });

  it("follow links inside, but not in circles", async () => {
    const code = [
      "import os",
      "open('/workspace/target.txt', 'w').write('here')",
      "os.symlink('target.txt', '/workspace/one'); os.symlink('/workspace/one', '/workspace/two')",
      "os.symlink('loop', '/workspace/loop')",
    ].join("\n");
    expect((await send(pythonResultSchema, "/python", { code })).status).toBe("ok");
    expect(await (await content("two")).text()).toBe("here");
    expect((await content("loop")).status).toBe(409);
  });

  it("take uploads under safe names", async () => {
    const form = new FormData();
    form.append("files", new Blob(["1"]), "../../escape.txt");
    form.append("files", new Blob(["22"]), "two.txt");
    const response = await server.ask(at("/files?path=/workspace/up"), { method: "POST", body: form });
    expect(await response.json()).toMatchObject({
      files: [{ path: "/workspace/up/escape.txt" }, { path: "/workspace/up/two.txt" }],
    });
  });

  it("give a folder as a zip without its links", async () => {
    const code = [
      "import os; os.makedirs('/workspace/z/empty', exist_ok=True)",
      "open('/workspace/z/big.txt','w').write('x' * 3_000_000)",
      "open('/workspace/z/we\\\\ird\\n:name','w').write('odd')",
      "os.symlink('/etc/passwd', '/workspace/z/link')",
      "os.mkfifo('/workspace/z/fifo')",
    ].join("\n");
    expect((await send(pythonResultSchema, "/python", { code })).status).toBe("ok");
    const response = await server.ask(at("/files.zip?path=/workspace/z"));
    expect(response.headers.get("content-type")).toBe("application/zip");
    const bytes = Buffer.from(await response.arrayBuffer());
    await content("/workspace/check.zip", { method: "PUT", body: bytes });
    const read = await send(pythonResultSchema, "/python", {
      code: "import zipfile\nz = zipfile.ZipFile('/workspace/check.zip')\nprint(z.testzip(), sorted((i.filename, i.file_size) for i in z.infolist()))",
    });
    expect(read.stdout).toMatch(/^None \[/);
    for (const entry of ["('big.txt', 3000000)", "('empty/', 0)", "('we_ird__name', 3)"])
      expect(read.stdout).toContain(entry);
    expect(read.stdout).toContain("'left-out.txt'");
    expect(read.stdout).not.toMatch(/'link'|'fifo'|root:/);
  });

  it("show what runs inside", async () => {
    expect((await look(metricsSchema, "/metrics")).memory_bytes).toBeGreaterThan(0);
    expect((await look(contextListSchema, "/contexts")).contexts.map(({ name }) => name)).toContain(
      "default",
    );
    expect((await look(processListSchema, "/processes")).processes.length).toBeGreaterThan(0);
    expect((await look(portListSchema, "/ports")).ports).toEqual([]);
    expect((await server.post(at("/contexts"), { name: "second" })).status).toBe(201);
    const other = await send(pythonResultSchema, "/python", { code: "x", context: "second" });
    expect(other.error?.name).toBe("NameError");
    expect((await server.ask(at("/contexts/second"), { method: "DELETE" })).status).toBe(200);
  });

  it("pause, resume, and save their variables", async () => {
    expect((await readAs(sandboxSchema, server.ask(at("/pause"), { method: "POST" }))).state).toBe("paused");
    const paused = await server.post(at("/python"), { code: "1" });
    expect([paused.status, (await readAs(errorSchema, paused)).code]).toEqual([409, "sandbox_paused"]);
    expect((await readAs(sandboxSchema, server.ask(at("/resume"), { method: "POST" }))).state).toBe(
      "running",
    );
    expect((await send(snapshotSchema, "/snapshot", {})).saved).toContain("x");
    expect((await send(restoredSchema, "/restore", {})).restored).toContain("x");
  });

  it("live on when the server ends, and die only when they are removed", async () => {
    await server.services.apiSandboxes.close();
    expect((await send(pythonResultSchema, "/python", { code: "x" })).results[0]?.text).toBe("42");
    expect((await server.ask(at("?keep_files=true"), { method: "DELETE" })).status).toBe(200);
    const dead = await server.post(at("/python"), { code: "1" });
    expect([dead.status, (await readAs(errorSchema, dead)).code]).toEqual([410, "sandbox_dead"]);
    expect((await look(sandboxSchema, "")).state).toBe("dead");
    expect(
      (await readAs(sandboxSchema, server.post("/sandboxes", { id: id.padEnd(6, "x") }))).sandbox_id,
    ).toBe(id);
    expect((await content("up/two.txt")).status).toBe(200);
    expect((await server.post("/sandboxes", { id })).status).toBe(409);
  });

  it("an ephemeral one gives every run a fresh sandbox and says what it cannot do", async () => {
    const made = await readAs(
      sandboxSchema,
      server.post("/sandboxes", { mode: "ephemeral", id: "ephemeral-1" }),
    );
    expect(made.mode).toBe("ephemeral");
    const path = "/sandboxes/ephemeral-1";
    expect(await readAs(pythonResultSchema, server.post(`${path}/python`, { code: "z = 1" }))).toMatchObject({
      status: "ok",
    });
    expect(await readAs(pythonResultSchema, server.post(`${path}/python`, { code: "z" }))).toMatchObject({
      status: "error",
    });
    expect((await server.ask(`${path}/contexts`)).status).toBe(501);
    expect((await server.ask(path, { method: "DELETE" })).status).toBe(200);
    expect((await server.ask(path)).status).toBe(404);
  });

  it.each([
    ["GET", "/files/content?path=%00", undefined, 400],
    ["GET", "/files/content", undefined, 400],
    ["GET", "/files/content?path=/etc", undefined, 409],
    ["GET", "/files/content?path=/nowhere", undefined, 404],
    ["GET", `/files/content?path=${"a/".repeat(1500)}x`, undefined, 404],
    ["GET", `/files/content?path=${"a".repeat(300)}`, undefined, 400],
    ["GET", "/files/content?path=/dev/zero", undefined, 409],
    ["GET", "/files?path=/proc/self/mem", undefined, 409],
    ["PUT", "/files/content?path=/etc/x", "x", 403],
    ["PUT", "/files/content?path=/workspace", "x", 409],
    ["POST", "/python", { code: 1 }, 400],
    ["POST", "/python", { code: "1", timeout_ms: 1e300 }, 400],
    ["POST", "/python", { code: "1", context: "\0" }, 400],
    ["POST", "/commands", { command: "a\0b" }, 400],
    ["POST", "/commands", { command: [] }, 400],
    ["POST", "/commands", { command: "ls", cwd: "/nowhere" }, 404],
    ["POST", "/files/move", { from: "a\0", to: "b" }, 400],
    ["POST", "/files/move", { from: "/nowhere", to: "b" }, 404],
    ["DELETE", "/contexts/none", undefined, 404],
    ["DELETE", "/contexts/%F0%9F%92%A9", undefined, 404],
  ])("%s %s with %o is answered with %i", async (method, rest, body, status) => {
    const raw = typeof body === "string";
    const init = body === undefined ? {} : { body: raw ? body : JSON.stringify(body) };
    const headers = body !== undefined && !raw ? { "content-type": "application/json" } : {};
    const response = await server.ask(at(rest), { method, headers, ...init } as RequestInit);
    const error = await readAs(errorSchema, response);
    expect([response.status, error.code], error.message).toEqual([status, expect.any(String)]);
    expect(error.message).not.toContain(dataDir);
  });

  it("the files of a thread are those of its sandbox", async () => {
    await server.services.apiSandboxes.use(id, async (sandbox) => {
      server.runner.sandbox = sandbox.restricted();
    });
    const thread = await server.newThread();
    const response = await server.ask(`/thread/${thread}/files?path=up`);
    expect((await readAs(fileListSchema, response)).files.map(({ name }) => name)).toEqual([
      "escape.txt",
      "two.txt",
    ]);
    expect((await server.ask("/thread/none/files")).status).toBe(404);
  });
});
