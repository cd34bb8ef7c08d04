import { expect, it, onTestFinished } from "vitest";
import { Networks } from "../../network/networks.ts";
import { RecentTraffic } from "../../network/recent-traffic.ts";
import { makeTestServer } from "../test-server.harness.ts";

type Body = Record<string, unknown>;

async function open(widest?: { allow: string[] }) {
  const renewed: string[] = [];
  const networks = new Networks({ usual: "none", ...(widest && { widest }), egress: {} });
  const server = await makeTestServer(onTestFinished, { services: { networks } });
  server.services.threadSandboxes.updateNetwork = async (threadId) => void renewed.push(threadId);
  const read = async (response: Response | Promise<Response>) => {
    const answered = await response;
    return { status: answered.status, body: (await answered.json()) as Body };
  };
  const patch = (id: string, body: Body) =>
    read(
      server.ask(`/thread/${id}`, {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
  return { ...server, renewed, read, patch };
}

it("a thread has the policy that it asks for, and a living sandbox is told of a change", async () => {
  const { post, read, patch, ask, renewed, store } = await open();
  const { body } = await read(post("/thread/new", { network: { allow: ["a.test"] } }));
  const id = String(body["thread_id"]);
  expect((await read(ask(`/thread/${id}`))).body["network"]).toEqual({ allow: ["a.test"] });
  expect(renewed).toEqual([]);
  expect((await patch(id, { network: "all-public" })).body["network"]).toBe("all-public");
  expect((await patch(id, { title: "T" })).body["network"]).toBe("all-public");
  expect(renewed).toEqual([id]);
  expect((await patch(id, { network: null })).body["network"]).toBe("none");
  expect([renewed, store.threads.get(id)?.settings]).toEqual([[id, id], {}]);
});

it.each([
  ["everything", /must be "none", "all-public"/],
  [{ allow: ["https://a.test/x"] }, /"https:\/\/a\.test\/x" is no host; write/],
  [{ allow: ["*"] }, /is no host/],
  [{ allow: "a.test" }, /must be/],
  [{ allow: [], more: 1 }, /Unrecognized key/],
  [7, /must be/],
])("%j is refused with words that say what to write", async (network, words) => {
  const { post, read, patch, newThread } = await open();
  const answers = [
    await read(post("/thread/new", { network })),
    await read(post("/sandboxes", { network })),
    await patch(await newThread(), { network }),
  ];
  for (const { status, body } of answers)
    expect([status, body]).toEqual([
      400,
      { code: "invalid_argument", message: expect.stringMatching(words), hint: expect.any(String) },
    ]);
});

it("nobody gets more than the operator allows, also who asked before", async () => {
  const { post, read, patch, ask, store } = await open({ allow: ["*.a.test", "b.test"] });
  for (const network of ["all-public", { allow: ["c.test"] }, { allow: ["b.test:22"] }]) {
    for (const path of ["/thread/new", "/sandboxes"])
      expect(await read(post(path, { network }))).toMatchObject({
        status: 403,
        body: {
          code: "forbidden",
          message: "this server allows no more than *.a.test, b.test",
          hint: expect.stringContaining("ATOLL_NETWORK_MAX"),
        },
      });
  }
  const { id } = await store.threads.create({
    id: "earlier",
    fileIds: [],
    settings: { network: { allow: ["x.a.test", "c.test"] } },
  });
  expect((await read(ask(`/thread/${id}`))).body["network"]).toEqual({ allow: ["x.a.test"] });
  expect((await patch(id, { network: { allow: ["y.a.test"] } })).status).toBe(200);
});

it("the traffic of a thread is read from its log, the newest first", async () => {
  const { ask, read, newThread, store } = await open();
  const id = await newThread();
  const entry = (host: string) => ({
    type: "network" as const,
    started_at: "2030-01-01T00:00:00.000Z",
    method: "CONNECT",
    host,
    port: 443,
    outcome: "refused" as const,
    reason: "no",
    count: 1,
    sent_bytes: 0,
    received_bytes: 0,
    duration_ms: 1,
  });
  await store.log.append(id, [{ event: entry("one.test") }, { event: { type: "status", text: "x" } }]);
  await store.log.append(id, [{ event: entry("two.test") }]);
  const { body } = await read(ask(`/thread/${id}/traffic`));
  const { type: _, ...wire } = entry("two.test");
  expect(body).toMatchObject({
    thread_id: id,
    traffic: [{ ...wire, at: expect.any(String) }, { host: "one.test" }],
  });
  expect((await read(ask(`/thread/${id}/traffic?limit=1`))).body["traffic"]).toHaveLength(1);
  expect((await ask("/thread/nothing/traffic")).status).toBe(404);
  expect((await ask(`/thread/${id}/traffic?limit=0`)).status).toBe(400);
});

it("the traffic of programs is held in memory, within bounds", () => {
  const recent = new RecentTraffic();
  const event = (host: string) => ({ type: "network", host, count: 1 }) as never;
  for (let turn = 0; turn < 300; turn += 1) recent.add("p", event(`h${turn}`));
  expect(recent.read("p", 2).map(({ event: { host } }) => host)).toEqual(["h299", "h298"]);
  expect(recent.read("p", 1000)).toHaveLength(200);
  for (let turn = 0; turn < 1000; turn += 1) recent.add(`p${turn}`, event("x"));
  expect(recent.read("p", 10)).toEqual([]);
  recent.forget("p1");
  expect([recent.read("p1", 10).length, recent.read("p2", 10).length]).toEqual([0, 1]);
});
