import { expect, onTestFinished, test } from "vitest";
import { errorSchema, historySchema, threadListSchema } from "@atoll/protocol/schemas";
import { readAs } from "../read-as.harness.ts";
import { makeTestServer } from "../test-server.harness.ts";

test("a thread starts without a body, as curl -X POST asks for it", async () => {
  const { ask } = await makeTestServer(onTestFinished);
  const response = await ask("/thread/new", { method: "POST" });
  expect(response.status).toBe(200);
  const thread = await response.json();
  expect(thread).toMatchObject({
    thread_id: expect.stringMatching(/^[0-9a-f]{24}$/),
    container_status: "cold",
    workspace: "/workspace",
    attached_files: ["notes.txt"],
    data: { others: [{ name: "notes.txt" }] },
    timings_ms: { container_startup: 1, schema_build: expect.any(Number), total: expect.any(Number) },
  });
});

test("an empty form body, as curl -d '' sends it, counts as no body", async () => {
  const { ask } = await makeTestServer(onTestFinished);
  const headers = { "content-type": "application/x-www-form-urlencoded", "content-length": "0" };
  expect((await ask("/thread/new", { method: "POST", headers })).status).toBe(200);
});

test("a new thread that takes long to read its files answers without them", async () => {
  const { ask, runner } = await makeTestServer(onTestFinished, { config: { profileWaitMs: 1 } });
  runner.prepare = () => new Promise(() => {});
  const response = await ask("/thread/new", { method: "POST" });
  expect(response.status).toBe(200);
  expect(await response.json()).not.toHaveProperty("data");
});

test("who does not wait for a new thread is answered while its sandbox starts", async () => {
  const { post, runner } = await makeTestServer(onTestFinished);
  const prepared: string[] = [];
  runner.prepare = (threadId) => {
    prepared.push(threadId);
    return new Promise(() => {});
  };
  const response = await post("/thread/new", { wait: false });
  const created = (await response.json()) as { thread_id: string };
  expect(response.status).toBe(200);
  expect(created).not.toHaveProperty("data");
  expect(prepared).toEqual([created.thread_id]);
});

test("an unknown file is named, with what to do", async () => {
  const { post, ask } = await makeTestServer(onTestFinished);
  const response = await post("/thread/new", { file_ids: ["../../etc/passwd"] });
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({
    code: "not_found",
    hint: expect.stringContaining("POST /upload"),
  });
  expect((await readAs(threadListSchema, ask("/threads"))).threads).toEqual([]);
});

test("files that are too large together are refused by name of the limit", async () => {
  const { post, store } = await makeTestServer(onTestFinished, { config: { threadQuotaBytes: 5 } });
  const { fileId } = await store.uploads.receive("a.csv", ReadableStream.from([Buffer.from("a,b\n1,2\n")]), {
    maxBytes: 100,
  });
  const response = await post("/thread/new", { file_ids: [fileId] });
  expect(response.status).toBe(413);
  expect((await readAs(errorSchema, response)).hint).toContain("ATOLL_THREAD_QUOTA_MB");
});

test("threads are listed page by page and found by their words", async () => {
  const { ask, newThread, store } = await makeTestServer(onTestFinished);
  const ids = [await newThread(), await newThread(), await newThread()];
  await store.threads.update(ids[1] ?? "", { title: "Penguins of the south" });
  const first = await readAs(threadListSchema, ask("/threads?limit=2"));
  expect(first.threads).toHaveLength(2);
  const second = await readAs(
    threadListSchema,
    ask(`/threads?limit=2&before=${encodeURIComponent(first.cursor ?? "")}`),
  );
  const seen = [...first.threads, ...second.threads].map(({ thread_id }) => thread_id);
  expect(seen.toSorted()).toEqual(ids.toSorted());
  const found = await readAs(threadListSchema, ask("/threads?query=penguins"));
  expect(found.threads.map(({ title }) => title)).toEqual(["Penguins of the south"]);
});

test("a title, a model and approvals can be changed and taken back", async () => {
  const { ask, newThread } = await makeTestServer(onTestFinished);
  const path = `/thread/${await newThread()}`;
  const patch = async (body: object) =>
    (
      await ask(path, {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      })
    ).json();
  expect(await patch({ title: " Spring ", model: "openai:gpt", approvals: "on" })).toMatchObject({
    title: "Spring",
    model: "openai:gpt",
    approvals: "on",
  });
  expect(await patch({ model: null })).toMatchObject({ title: "Spring", model: "built-in", approvals: "on" });
  expect(await patch({ model: "nobody:x" })).toMatchObject({ code: "invalid_argument" });
  expect(await (await ask(path)).json()).toMatchObject({ title: "Spring", approvals: "on", files: [] });
});

test("a thread that was removed is gone for every route", async () => {
  const { ask, newThread } = await makeTestServer(onTestFinished);
  const path = `/thread/${await newThread()}`;
  expect(await (await ask(path, { method: "DELETE" })).json()).toEqual({ removed: true });
  for (const rest of [
    "",
    "/status",
    "/history",
    "/data",
    "/events?follow=false",
    "/artifacts",
    "/export",
    "/files",
  ]) {
    expect((await ask(path + rest)).status, rest).toBe(404);
  }
});

test("the history tells questions and answers, also of a run under way", async () => {
  const { ask, post, newThread, runner, store } = await makeTestServer(onTestFinished);
  const id = await newThread();
  await (await post(`/thread/${id}/message`, { message: "first" })).text();
  const started = { type: "run_started", run_id: "r2", message_id: "m2", model: "built-in" } as const;
  await store.log.append(id, [
    { event: { type: "message", message_id: "m2", role: "user", text: "second", mode: "queue" } },
    { event: started, runId: "r2" },
    { event: { type: "token", text: "so far" }, runId: "r2" },
  ]);
  runner.activity = () => ({ runId: "r2", messageId: "m2", queued: [], approvals: [] });
  const { messages } = await readAs(historySchema, ask(`/thread/${id}/history`));
  expect(messages.map(({ content, status }) => [content, status])).toEqual([
    ["first", undefined],
    ["forty-two", "completed"],
    ["second", undefined],
    ["so far", "running"],
  ]);
});

test("the data comes with questions it can answer", async () => {
  const { ask, newThread, runner } = await makeTestServer(onTestFinished);
  const id = await newThread();
  expect(await (await ask(`/thread/${id}/data`)).json()).toEqual({
    thread_id: id,
    data: null,
    suggestions: [],
  });
  await runner.prepare(id);
  expect(await (await ask(`/thread/${id}/data`)).json()).toMatchObject({
    data: { others: [{ name: "notes.txt" }] },
    suggestions: ["How many rows are there?"],
  });
  expect(await (await ask(`/thread/${id}/data?language=zh`)).json()).toMatchObject({
    suggestions: ["有多少行？"],
  });
  expect((await ask(`/thread/${id}/data?language=fr`)).status).toBe(400);
});

test("an export is a download", async () => {
  const { ask, newThread } = await makeTestServer(onTestFinished);
  const response = await ask(`/thread/${await newThread()}/export?format=md`);
  expect(response.headers.get("content-disposition")).toBe(
    `attachment; filename="thread.md"; filename*=UTF-8''thread.md`,
  );
  expect(await response.text()).toBe("md");
});
