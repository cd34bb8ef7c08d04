import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ServerProcess } from "../support/server-process.ts";

const limits = [
  "cpus",
  "memory_bytes",
  "processes",
  "timeout_ms",
  "file_size_bytes",
  "disk_bytes",
  "output_bytes",
  "open_files",
  "tmp_bytes",
];

/** What the document accepts works: each limit at the least that it allows. */
describe.each(["local", "pyodide", "routed"])("the least of each limit on %s", (runtime) => {
  let dataDir = "";
  let server: ServerProcess;
  let least: Record<string, { minimum: number }> = {};

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "atoll-limits-"));
    const env = { SANDBOX_RUNTIME: runtime, ATOLL_MODEL: "built-in" };
    server = await ServerProcess.start({ dataDir, env });
    const { components } = (await (await fetch(`${server.url}/openapi.json`)).json()) as Document;
    least = components.schemas.NewSandbox.properties.limits.properties;
  });
  afterAll(async () => {
    await server?.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  const post = async (path: string, body: unknown) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(server.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, json: (await response.json()) as Record<string, string> };
  };

  it.each(limits)("a sandbox runs Python with the least of %s, and less is refused", async (name) => {
    const { minimum } = least[name] ?? { minimum: Number.NaN };
    const refused = await post("/sandboxes", {
      mode: "pinned",
      limits: { [name]: name === "cpus" ? minimum / 2 : minimum - 1 },
    });
    expect([refused.status, refused.json["code"]]).toEqual([400, "invalid_argument"]);
    const created = await post("/sandboxes", { mode: "pinned", limits: { [name]: minimum } });
    expect(created, JSON.stringify(created)).toMatchObject({ status: 201 });
    const run = await post(`/sandboxes/${created.json["sandbox_id"]}/python`, { code: "1+1" });
    // Half a second may be too short on a busy machine.
    expect(run, JSON.stringify(run)).toMatchObject({
      status: 200,
      json: { status: expect.stringMatching(name === "timeout_ms" ? /ok|timeout/ : /ok/) },
    });
  });

  it.each(["cpus", "memory_bytes", "disk_bytes"])("a thread answers with the least of %s", async (name) => {
    const floor = { cpus: 0.25, memory_bytes: 128 * 1024 * 1024, disk_bytes: least["disk_bytes"]?.minimum }[
      name
    ];
    const { json } = await post("/thread/new", { limits: { [name]: floor } });
    const answer = await post(`/thread/${json["thread_id"]}/message`, {
      message: "How many rows are there?",
    });
    expect(answer, JSON.stringify(answer)).toMatchObject({ status: 200, json: { status: "completed" } });
  });
});

interface Document {
  readonly components: {
    readonly schemas: {
      readonly NewSandbox: {
        readonly properties: {
          readonly limits: { readonly properties: Record<string, { minimum: number }> };
        };
      };
    };
  };
}
