import { expect, onTestFinished, test } from "vitest";
import { outcome } from "../../threads/threads.harness.ts";
import type { ThreadEvent } from "@atoll/protocol";
import { sharedThreadSchema, shareListSchema, shareSchema } from "@atoll/protocol/schemas";
import { readAs } from "../read-as.harness.ts";
import { makeTestServer, type TestServer } from "../test-server.harness.ts";

const token = "a-long-enough-token-for-tests";

async function makeThread({ store, newThread }: TestServer) {
  const thread = await newThread();
  const hash = store.blobs.put(thread, Buffer.from("\x89PNG\r\n\x1a\n picture", "latin1"));
  const secret = store.blobs.put(thread, Buffer.from("never shown"));
  const image = { mime: "image/png", url: `/thread/${thread}/blobs/${hash}` };
  const events: [ThreadEvent, string?][] = [
    [{ type: "data", data: { tables: [], others: [{ file: "/data/x", name: "x", size_bytes: 1 }] } }],
    [{ type: "message", message_id: "m1", role: "user", text: "first", mode: "queue" }],
    [{ type: "run_started", run_id: "r1", message_id: "m1", model: "built-in" }, "r1"],
    [{ type: "approval", approval_id: "a1", call_id: "c1", tool: "t", input: {} }, "r1"],
    [{ type: "token", text: "answered" }, "r1"],
    [
      {
        type: "result",
        call_id: "c1",
        is_main: true,
        image,
        table: { table_id: "abc", columns: [], rows: [], total_rows: 0, total_columns: 0 },
      },
      "r1",
    ],
    [{ type: "done", thread_id: thread, run_id: "r1", message_id: "m1", ...outcome("answered") }, "r1"],
    [{ type: "message", message_id: "m2", role: "user", text: "second", mode: "queue" }],
    [{ type: "run_started", run_id: "r2", message_id: "m2", model: "built-in" }, "r2"],
    [{ type: "token", text: "under way" }, "r2"],
  ];
  await store.log.append(
    thread,
    events.map(([event, runId]) => ({ event, runId })),
  );
  return { thread, hash, secret };
}

test("a link shows the conversation of its moment to whoever has it, and nothing else of the thread", async () => {
  const server = await makeTestServer(onTestFinished, { config: { token } });
  const { thread, hash, secret } = await makeThread(server);
  const headers = { authorization: `Bearer ${token}` };
  const shared = server.ask(`/thread/${thread}/share`, { method: "POST", headers });
  const { share_id: id, url } = await readAs(shareSchema, shared);
  expect(id).toMatch(/^[\w-]{32}$/);
  expect(url).toBe(`/ui/shared#/shared/${id}`);

  const response = await server.ask(`/shared/${id}`);
  expect([
    response.status,
    response.headers.get("x-robots-tag"),
    response.headers.get("cache-control"),
  ]).toEqual([200, "noindex", "no-store"]);
  const text = await response.clone().text();
  const { events, title } = sharedThreadSchema.parse(await response.json());
  expect(title).toBeNull();
  expect(events.map(({ type }) => type)).toEqual(["message", "run_started", "token", "result", "done"]);
  expect(events[0]).toMatchObject({ text: "first", thread_id: id });
  expect(text).not.toContain(thread);
  expect(text).not.toMatch(/under way|second|table_id|approval|\/data\/x/);
  expect(events[3]).toMatchObject({ image: { url: `/shared/${id}/blobs/${hash}` } });

  const image = await server.ask(`/shared/${id}/blobs/${hash}`);
  expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/png"]);
  expect(image.headers.get("content-security-policy")).toContain("sandbox");
  expect((await server.ask(`/shared/${id}/blobs/${secret}`)).status).toBe(404);
  expect((await server.ask(`/thread/${thread}/blobs/${hash}`)).status).toBe(401);
  expect((await server.ask(`/shared/${id}`, { method: "POST" })).status).toBe(401);
  expect((await server.ask(`/thread/${thread}/shares`)).status).toBe(401);
});

test("sharing again moves the link on, and there may be others", async () => {
  const server = await makeTestServer(onTestFinished);
  const { thread } = await makeThread(server);
  const share = async (body: object) => readAs(shareSchema, server.post(`/thread/${thread}/share`, body));
  const first = await share({});
  const end = { type: "done", thread_id: thread, run_id: "r2", message_id: "m2", ...outcome("") } as const;
  await server.store.log.append(thread, [{ event: end, runId: "r2" }]);
  const before = await readAs(sharedThreadSchema, server.ask(`/shared/${first.share_id}`));
  expect(JSON.stringify(before)).not.toContain("second");
  const again = await share({});
  expect([again.share_id, again.created_at]).toEqual([first.share_id, first.created_at]);
  const after = await readAs(sharedThreadSchema, server.ask(`/shared/${first.share_id}`));
  expect(JSON.stringify(after)).toContain("second");
  const other = await share({ is_new: true });
  expect(other.share_id).not.toBe(first.share_id);
  const list = await readAs(shareListSchema, server.ask(`/thread/${thread}/shares`));
  expect(list.shares.map(({ share_id: id }) => id).toSorted()).toEqual(
    [first.share_id, other.share_id].toSorted(),
  );
});

test("a link leads nowhere when it was taken back, when its thread is gone, and when it was guessed", async () => {
  const server = await makeTestServer(onTestFinished);
  const { thread, hash } = await makeThread(server);
  const share = async () =>
    (await readAs(shareSchema, server.post(`/thread/${thread}/share`, { is_new: true }))).share_id;
  const [first, second] = [await share(), await share()];
  const statuses = async (id: string) => [
    (await server.ask(`/shared/${id}`)).status,
    (await server.ask(`/shared/${id}/blobs/${hash}`)).status,
  ];
  expect(await statuses(first)).toEqual([200, 200]);
  const remove = () => server.ask(`/thread/${thread}/shares/${first}`, { method: "DELETE" });
  expect([(await remove()).status, (await remove()).status]).toEqual([200, 404]);
  expect(await statuses(first)).toEqual([404, 404]);
  expect(await statuses(second)).toEqual([200, 200]);
  await server.ask(`/thread/${thread}`, { method: "DELETE" });
  expect(await statuses(second)).toEqual([404, 404]);
  expect(await statuses("A".repeat(32))).toEqual([404, 404]);
  expect(await statuses("short")).toEqual([404, 404]);
});

test("a link's reader is counted like everybody", async () => {
  const server = await makeTestServer(onTestFinished, {
    config: { token, rateLimit: { windowMs: 60_000, max: 2 } },
  });
  const ask = async () => (await server.ask(`/shared/${"A".repeat(32)}`)).status;
  expect([await ask(), await ask(), await ask()]).toEqual([404, 404, 429]);
});
