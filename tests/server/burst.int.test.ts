import { Agent, request } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DataFolder } from "../support/data-folder.ts";
import type { ServerProcess } from "../support/server-process.ts";

/** 2,000 take minutes: `ATOLL_BURST_THREADS=2000` has them all. */
const count = Number(process.env["ATOLL_BURST_THREADS"] ?? 150);
const connections = 32;
let folder: DataFolder;
let server: ServerProcess;

beforeAll(async () => {
  folder = await DataFolder.create("burst");
  server = await folder.start({ env: { ATOLL_MAX_HOT: "16", ATOLL_MAX_WARM: "16" } });
});
afterAll(() => folder[Symbol.asyncDispose](), 600_000);

it(
  `${count} threads that are asked for in one burst can all be used afterwards`,
  async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    const ask = (method: string, path: string, body?: unknown) => send(agent, method, path, body);
    const numbers = Array.from({ length: count }, (_, at) => at);
    const created = await Promise.all(numbers.map(() => ask("POST", "/thread/new", { wait: false })));
    expect(new Set(created.map(({ status }) => status))).toEqual(new Set([200]));
    const threads = created.map(({ body }) => (body as { thread_id: string }).thread_id);
    expect(new Set(threads).size).toBe(count);

    const question = { message: "How many rows are there?" };
    const ran = await Promise.all(threads.map((id) => ask("POST", `/thread/${id}/message`, question)));
    const failed = ran.filter(({ body }) => (body as { status?: string }).status !== "completed");
    expect(failed).toEqual([]);
    expect((await ask("GET", "/readyz")).body).toMatchObject({ status: "ready" });
    agent.destroy();
  },
  300_000 + count * 1500,
);

interface Reply {
  readonly status: number | undefined;
  readonly body: unknown;
}

function send(agent: Agent, method: string, path: string, body?: unknown): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      server.url + path,
      { agent, method, headers: body === undefined ? {} : { "content-type": "application/json" } },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: incoming.statusCode, body: text === "" ? undefined : JSON.parse(text) });
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
