import { expect, onTestFinished, test } from "vitest";
import { answerSchema, errorSchema, eventPageSchema } from "@atoll/protocol/schemas";
import { readAs } from "../read-as.harness.ts";
import { makeTestServer } from "../test-server.harness.ts";

const table = { columns: [{ name: "n", dtype: "int64" }], rows: [[1]], total_rows: 1, total_columns: 1 };
const hash = "a".repeat(64);

test("a message is answered in one piece, with its tables, images and files", async () => {
  const { post, newThread, runner } = await makeTestServer(onTestFinished);
  const id = await newThread();
  runner.script = [
    { type: "result", call_id: "c1", is_main: true, table },
    {
      type: "result",
      call_id: "c1",
      is_main: false,
      image: { mime: "image/png", url: `/thread/${id}/blobs/${hash}` },
    },
    {
      type: "artifact",
      call_id: "c1",
      path: "/workspace/a.csv",
      size_bytes: 3,
      hash,
      mime: "text/csv",
      change: "new",
    },
    { type: "error", code: "model_error", message: "the model is tired" },
    { type: "token", text: "There is " },
    { type: "token", text: "one." },
  ];
  const answer = await readAs(answerSchema.strict(), post(`/thread/${id}/message`, { message: "How many?" }));
  expect(answer).toMatchObject({
    thread_id: id,
    response: "There is one.",
    status: "completed",
    container_state: "hot",
    openai_calls: 0,
    model: "built-in",
    code_runs: [],
    results: [
      { kind: "table", table },
      { kind: "image", mime: "image/png" },
      { kind: "artifact", path: "/workspace/a.csv" },
    ],
    error: { code: "model_error", message: "the model is tired" },
  });
  expect([answer.run_id, answer.message_id, answer.timings_ms.ttft]).toEqual([
    expect.any(String),
    expect.any(String),
    1,
  ]);
});

test("a stream has everything from the message to its own done, and nothing of the next", async () => {
  const { post, newThread } = await makeTestServer(onTestFinished);
  const id = await newThread();
  await (await post(`/thread/${id}/message`, { message: "before" })).text();
  const response = await post(`/thread/${id}/message/stream`, { message: "now" });
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("no-cache, no-transform");
  expect(response.headers.get("x-accel-buffering")).toBe("no");
  const frames = (await response.text()).trim().split("\n\n");
  const types = frames.map((frame) => /^event: (\w+)$/m.exec(frame)?.[1]);
  expect(types).toEqual(["message", "run_started", "token", "done"]);
  for (const [index, frame] of frames.entries()) {
    const data = JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? "");
    expect([data.type, String(data.id)]).toEqual([types[index], /^id: (\d+)$/m.exec(frame)?.[1]]);
  }
});

test("a stream of a message that steers ends with the run that it steered", async () => {
  const { post, newThread, runner, store } = await makeTestServer(onTestFinished);
  const id = await newThread();
  runner.gate = new Promise(() => {});
  const response = await post(`/thread/${id}/message/stream`, { message: "also this", mode: "steer" });
  const [messageId] = [...runner.waiting];
  const runId = "run-1";
  const done = { ...(await doneOf(id, runId, "other-message")) };
  await store.log.append(id, [
    { event: { type: "steered", message_id: messageId ?? "" }, runId },
    { event: done, runId },
    { event: { type: "token", text: "of a later run" }, runId: "run-2" },
  ]);
  const text = await response.text();
  expect([...text.matchAll(/^event: (\w+)$/gm)].map(([, type]) => type)).toEqual([
    "message",
    "steered",
    "done",
  ]);
});

test("a stream of a message that is taken back ends there", async () => {
  const { post, ask, newThread, runner } = await makeTestServer(onTestFinished);
  const id = await newThread();
  runner.gate = new Promise(() => {});
  const response = await post(`/thread/${id}/message/stream`, { message: "never mind" });
  const [messageId] = [...runner.waiting];
  expect(await (await ask(`/thread/${id}/message/${messageId}`, { method: "DELETE" })).json()).toEqual({
    removed: true,
  });
  expect(await response.text()).toContain("event: message_removed");
  expect((await ask(`/thread/${id}/message/${messageId}`, { method: "DELETE" })).status).toBe(404);
});

test("a message that is too long, empty or missing is refused in words", async () => {
  const { post, newThread, store } = await makeTestServer(onTestFinished);
  const path = `/thread/${await newThread()}/message`;
  const long = await post(path, { message: "x".repeat(1001) });
  expect([long.status, (await readAs(errorSchema, long)).hint]).toEqual([
    413,
    expect.stringContaining("MAX_INPUT_CHARS"),
  ]);
  for (const body of [
    { message: " \n" },
    { message: 3 },
    {},
    { message: "a", mode: "shout" },
    { message: "a", extra: 1 },
  ]) {
    const response = await post(path, body);
    expect([response.status, (await readAs(errorSchema, response)).code], JSON.stringify(body)).toEqual([
      400,
      "invalid_argument",
    ]);
  }
  const { threads } = await store.threads.list({ limit: 1 });
  expect(threads[0]?.messageCount).toBe(0);
});

test("stop and approvals reach the runner", async () => {
  const { post, ask, newThread, runner } = await makeTestServer(onTestFinished);
  const id = await newThread();
  expect(await (await ask(`/thread/${id}/stop`, { method: "POST" })).json()).toEqual({
    thread_id: id,
    was_running: true,
  });
  expect(runner.stopped).toEqual([id]);
  expect((await post(`/thread/${id}/approvals/waits`, { decision: "allow" })).status).toBe(200);
  expect(runner.decided).toEqual([{ approvalId: "waits", decision: "allow" }]);
  expect((await post(`/thread/${id}/approvals/gone`, { decision: "allow" })).status).toBe(404);
  expect((await post(`/thread/${id}/approvals/waits`, { decision: "maybe" })).status).toBe(400);
});

test("the log comes as JSON pages to those who ask for JSON", async () => {
  const { ask, newThread, store } = await makeTestServer(onTestFinished);
  const id = await newThread();
  await store.log.append(
    id,
    [1, 2, 3].map((n) => ({ event: { type: "token" as const, text: `t${n}` } })),
  );
  const first = await readAs(
    eventPageSchema,
    ask(`/thread/${id}/events?limit=2`, { headers: { accept: "application/json" } }),
  );
  expect([first.events.length, first.has_more]).toEqual([2, true]);
  const second = await readAs(
    eventPageSchema,
    ask(`/thread/${id}/events?follow=false&after=${first.next_after}`),
  );
  expect(second.events).toMatchObject([{ text: "t3" }]);
  expect(second.has_more).toBe(false);
});

async function doneOf(threadId: string, runId: string, messageId: string) {
  const { store, runner, newThread } = await makeTestServer(onTestFinished);
  const id = await newThread();
  const submitted = await runner.submit(id, { text: "x" });
  const {
    id: _,
    at: __,
    ...done
  } = await runner.waitForDone(id, submitted.messageId, new AbortController().signal);
  void store;
  return { ...done, thread_id: threadId, run_id: runId, message_id: messageId };
}
