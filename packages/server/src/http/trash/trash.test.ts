import { expect, onTestFinished, test } from "vitest";
import { trashSchema } from "@atoll/protocol/schemas";
import { readAs } from "../read-as.harness.ts";
import { makeTestServer } from "../test-server.harness.ts";

test("a thread that is removed is gone, listed in the trash, and can be taken back", async () => {
  const { ask, post, newThread } = await makeTestServer(onTestFinished);
  const id = await newThread();
  expect(await (await ask(`/thread/${id}`, { method: "DELETE" })).json()).toEqual({ removed: true });
  for (const path of ["", "/status", "/history", "/events"])
    expect((await ask(`/thread/${id}${path}`)).status, path).toBe(404);
  const { threads } = await readAs(trashSchema, await ask("/trash"));
  expect(threads).toMatchObject([{ thread_id: id, title: null, message_count: 0 }]);
  expect(Date.parse(threads[0]?.purge_at ?? "")).toBeGreaterThan(Date.now() + 6 * 86_400_000);
  const restored = await post(`/trash/${id}/restore`, {});
  expect([restored.status, await restored.json()]).toEqual([200, { thread_id: id, restored: true }]);
  expect((await ask(`/thread/${id}`)).status).toBe(200);
  expect(await readAs(trashSchema, await ask("/trash"))).toEqual({ threads: [] });
});

test("a thread in the trash can be removed for good", async () => {
  const { ask, post, newThread } = await makeTestServer(onTestFinished);
  const id = await newThread();
  await ask(`/thread/${id}`, { method: "DELETE" });
  expect(await (await ask(`/trash/${id}`, { method: "DELETE" })).json()).toEqual({ removed: true });
  for (const response of [
    await ask(`/trash/${id}`, { method: "DELETE" }),
    await post(`/trash/${id}/restore`, {}),
  ])
    expect([response.status, await response.json()]).toMatchObject([404, { code: "not_found" }]);
});

test("a thread can be removed past the trash", async () => {
  const { ask, newThread } = await makeTestServer(onTestFinished);
  const id = await newThread();
  await ask(`/thread/${id}?now=true`, { method: "DELETE" });
  expect(await readAs(trashSchema, await ask("/trash"))).toEqual({ threads: [] });
});
