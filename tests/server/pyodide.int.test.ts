import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ServerProcess } from "../support/server-process.ts";

/** A machine with Node and nothing else: no bubblewrap, no Docker, no Python on its PATH. */
describe("a server on a machine with nothing but Node", { timeout: 240_000 }, () => {
  let folder = "";
  let server: ServerProcess;

  const post = async (path: string, body: object = {}) => {
    const response = await fetch(server.url + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.ok, `${path}: ${response.status}`).toBe(true);
    return (await response.json()) as Record<string, never> & { thread_id: string; response: string };
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "atoll-bare-machine-"));
    server = await ServerProcess.start({
      dataDir: folder,
      env: {
        PATH: folder,
        SANDBOX_RUNTIME: "pyodide",
        SANDBOX_TIMEOUT_S: "1",
        SANDBOX_AS_MB: "64",
        DOCKER_HOST: `unix://${folder}/none.sock`,
        ATOLL_PYTHON: join(folder, "none"),
      },
    });
  });
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  it("runs plain Python in a sandbox of a program's own", async () => {
    const made = await post("/sandboxes");
    const id = String(made["id" as never] ?? made["sandbox_id" as never]);
    const result = await post(`/sandboxes/${id}/python`, { code: "print('plain'); sum(range(10))" });
    expect(JSON.stringify(result)).toContain("45");
    expect(JSON.stringify(result)).toContain("plain");
  });

  it("has the limits of that runtime in its threads, and takes no file that does not fit", async () => {
    const { thread_id: id } = await post("/thread/new");
    const thread = (await (await fetch(`${server.url}/thread/${id}`)).json()) as { limits: object };
    expect(thread.limits).toMatchObject({ memory_bytes: 64 * 1024 * 1024, timeout_ms: 1000 });
    const form = new FormData();
    form.append("files", new Blob([new Uint8Array(40 * 1024 * 1024)]), "大.bin");
    const refused = await fetch(`${server.url}/thread/${id}/uploads`, { method: "POST", body: form });
    expect([refused.status, await refused.json()]).toMatchObject([
      413,
      { code: "too_large", hint: expect.stringContaining("SANDBOX_AS_MB") },
    ]);
    // The thread is as it was.
    const { response } = await post(`/thread/${id}/message`, { message: "Plot monthly spend" });
    expect(response).toContain("pandas");
  });

  it.each([
    ["What are the top 5 categories by spend?", /with pandas, which .* pyodide, does not have/],
    ["Plot monthly spend", /with pandas, which .* pyodide, does not have/],
    ["各类别的支出是多少？", /运行环境 pyodide 没有 pandas/],
  ])("says exactly what is missing for %j, and what to do", async (message, missing) => {
    const { thread_id } = await post("/thread/new");
    const { response } = await post(`/thread/${thread_id}/message`, { message });
    expect(response).toMatch(missing);
    expect(response).toContain("`SANDBOX_RUNTIME=local`");
    expect(response).not.toContain("…");
  });
});
