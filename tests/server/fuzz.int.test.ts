import * as fc from "fast-check";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Campaign } from "../support/fuzz/campaign.ts";
import { CLOSED_ADDRESS } from "../support/fuzz/known-values.ts";
import { makeLiveObjects } from "../support/fuzz/live-objects.ts";
import { type Api, readApi } from "../support/fuzz/operations.ts";
import { At, races } from "../support/fuzz/races.ts";
import { pipeline, rawBytes, sendRaw } from "../support/fuzz/raw-bytes.ts";
import { ServerProcess } from "../support/server-process.ts";

const seed = Number(process.env["ATOLL_FUZZ_SEED"] ?? Date.now() % 2 ** 31);
/** Requests to each operation. */
const runs = Number(process.env["ATOLL_FUZZ_RUNS"] ?? 45);
const canary = "canary-5f1d7c90";
const timeout = 300_000 + runs * 2000;

/** Every operation of the OpenAPI document, asked rightly and wrongly. The seed repeats a run. */
describe(`requests that nobody foresaw (ATOLL_FUZZ_SEED=${seed})`, { timeout }, () => {
  let dataDir = "";
  let server: ServerProcess;
  let port = 0;
  let api: Api;
  let campaign: Campaign;
  let residentBefore = 0;
  const readResidentMb = async () => {
    const status = await readFile(`/proc/${server.child.pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  };

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "atoll-fuzz-"));
    await writeFile(join(dataDir, "canary.txt"), canary);
    const env = { OPENAI_BASE_URL: CLOSED_ADDRESS, ATOLL_MODEL: "built-in" };
    server = await ServerProcess.start({ dataDir, env });
    port = Number(new URL(server.url).port);
    api = await readApi(server.url);
    campaign = new Campaign(server.url, await makeLiveObjects(server.url), { api, dataDir, canary });
  });
  afterAll(async () => {
    await server?.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  it("every operation answers a plain request as the document says, and refuses another machine's name", async () => {
    const failed: string[] = [];
    for (const operation of api.operations) {
      const plain = await campaign.sendPlain(operation, seed).catch((error: unknown) => error);
      if (!isAnswered(plain, [200, 201, 202])) failed.push(`${operation.id}: ${describeOutcome(plain)}`);
      const foreign = await campaign.sendForeign(operation).catch((error: unknown) => error);
      if (!isAnswered(foreign, [403])) failed.push(`${operation.id}, foreign: ${describeOutcome(foreign)}`);
    }
    expect(failed).toEqual([]);
    residentBefore = await readResidentMb();
  });

  it("every operation withstands what is wrong: no 500, no hang, no leak, as the document says", async () => {
    const waiting = [...api.operations];
    const failed: string[] = [];
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const failure = await campaign.attack(next, { seed, runs });
        if (failure !== undefined) failed.push(failure);
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
    expect(failed.join("\n\n")).toBe("");
    const missed = api.operations.filter(({ id }) => {
      const { calls = 0, succeeded = 0, refused = 0 } = campaign.tallies.get(id) ?? {};
      return calls < runs / 3 || succeeded === 0 || refused === 0;
    });
    expect(missed.map(({ id }) => [id, campaign.tallies.get(id)])).toEqual([]);
    expect(campaign.tallies.size).toBe(api.operations.length);
    expect(campaign.sent).toBeGreaterThan(api.operations.length * runs);
  });

  it("bytes that are no request are refused, and requests in a row are answered in their order", async () => {
    const property = fc.asyncProperty(rawBytes, async (bytes) => {
      const { statuses, text } = await sendRaw(port, bytes);
      expect(statuses.filter((status) => status >= 500)).toEqual([]);
      if (text !== "") expect(text).toMatch(/^HTTP\/1\.1 \d{3} /);
      expect(text).not.toMatch(/\n\s+at |node_modules/);
    });
    await fc.assert(property, { seed, numRuns: runs * 3 });
    const targets = ["GET /healthz", "GET /nowhere", "BAD", "GET /healthz"];
    expect(await pipeline(port, [...targets.slice(0, 2), "HEAD /threads", "GET /healthz"])).toEqual([
      200, 404, 200, 200,
    ]);
    // What Node's parser refuses is answered at once, and ends the connection.
    expect((await pipeline(port, targets)).at(-1)).toBe(400);
  });

  it.each(Object.entries(races))("%s: everyone gets an answer", async (_name, race) => {
    for (let turn = 0; turn < 3; turn += 1) {
      for (const response of await race(new At(server.url))) {
        const text = await response.text();
        expect(response.status, text).toBeLessThan(500);
        if (response.status >= 400)
          expect(JSON.parse(text)).toMatchObject({ code: expect.any(String), message: expect.any(String) });
      }
    }
  });

  it("afterwards the server is as it was: nothing is left, nothing was logged, and it answers rightly", async () => {
    const at = new At(server.url);
    await at.post("/settings/test", { model: "built-in" });
    const read = async <Result>(path: string) => (await (await at.get(path)).json()) as Result;
    const { threads } = await read<{ threads: { thread_id: string }[] }>("/threads?limit=200&temporary=true");
    const { sandboxes } = await read<{ sandboxes: { sandbox_id: string }[] }>("/sandboxes");
    for (const { thread_id } of threads) expect((await at.remove(`/thread/${thread_id}`)).status).toBe(200);
    for (const { sandbox_id } of sandboxes)
      expect((await at.remove(`/sandboxes/${sandbox_id}`)).status).toBe(200);
    expect(await read("/threads?temporary=true")).toEqual({ threads: [] });
    expect(await read("/sandboxes")).toEqual({ sandboxes: [] });
    const metrics = await (await at.get("/metrics")).text();
    const counts = metrics.split("\n").filter((line) => line.startsWith("atoll_sandboxes{"));
    expect([counts.length > 0, counts.filter((line) => !line.endsWith(" 0"))]).toEqual([true, []]);

    const body = { message: "What are the top 5 categories by spend?" };
    const id = await at.newThread();
    await fetch(`${server.url}/thread/${id}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: '{"model":"built-in"}',
    });
    const answer = (await (await at.post(`/thread/${id}/message`, body)).json()) as { response: string };
    expect(answer.response).toMatch(/Shopping\W+99,268\.24/);

    const isNoise = (line: string) => /unexpected failure|unhandled|uncaught|defect|^\s+at /i.test(line);
    expect(server.output.some(isNoise) ? server.output.join("\n").slice(0, 5000) : "").toBe("");
    expect((await readResidentMb()) - residentBefore).toBeLessThan(300);
  });
});

function isAnswered(outcome: unknown, statuses: readonly number[]): boolean {
  return statuses.includes((outcome as { status?: number }).status ?? 0);
}

function describeOutcome(outcome: unknown): string {
  if (outcome instanceof Error) return outcome.message;
  const { status, body } = outcome as { status: number; body: Buffer };
  return `${status} ${body.toString().slice(0, 300)}`;
}
