import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { EventStream } from "../../../../../tests/support/event-stream.ts";
import { RedisServer } from "../../../../../tests/support/redis-server.ts";
import { SmallCluster } from "./small-cluster.harness.ts";

let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(() => redis[Symbol.asyncDispose]());

const open = () => new SmallCluster(redis.url, onTestFinished);

const frame = (id: number, type: string, data: object) =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ id, type, ...data })}\n\n`;
const streamHead = { "content-type": "text/event-stream; charset=utf-8" };

test("an event stream goes on at the new owner with the next event, and the client notices nothing", async () => {
  const cluster = open();
  const owner = await cluster.makeOwner((_incoming, response) => {
    response.writeHead(200, streamHead);
    response.write(frame(1, "token", { text: "a" }) + frame(2, "token", { text: "b" }));
    // Half of an event is no event.
    response.write("id: 3\nevent: token\nda");
  });
  const front = await cluster.makeFront();
  const id = await front.newThread();
  await owner.member.leases.acquire(`thread:${id}`);
  const append = (textOfToken: string) =>
    front.store.log.append(id, [{ event: { type: "token", text: textOfToken } }]);
  for (const part of ["a", "b", "c"]) await append(part);
  const stream = await EventStream.open(`${front.url}/thread/${id}/events`);
  await stream.until("token", (event) => event.id === 2);
  await owner.die();
  await stream.until("token", (event) => event.id === 3);
  await append("d");
  await stream.until("token", (event) => event.id === 4);
  expect(stream.labels.map((label) => label.id)).toEqual([1, 2, 3, 4]);
  expect(stream.text).toBe("abcd");
  stream.close();
});

test("the stream of an answer ends with that answer, wherever it comes from", async () => {
  const cluster = open();
  const owner = await cluster.makeOwner((_incoming, response) => {
    response.writeHead(200, streamHead);
    response.write(frame(1, "message", { message_id: "m1", text: "q", role: "user", mode: "queue" }));
  });
  const front = await cluster.makeFront();
  const id = await front.newThread();
  await owner.member.leases.acquire(`thread:${id}`);
  const { log } = front.store;
  const message = { type: "message", message_id: "m1", role: "user", text: "q", mode: "queue" } as const;
  await log.append(id, [{ event: message }]);
  const stream = await EventStream.open(`${front.url}/thread/${id}/message/stream`, {
    body: { message: "q" },
  });
  await stream.until("message");
  await owner.die();
  const end = (messageId: string) => ({
    event: {
      type: "done" as const,
      thread_id: id,
      run_id: `run_${messageId}`,
      message_id: messageId,
      status: "interrupted" as const,
      response: "",
      model: "built-in",
      container_state: "unknown",
      total_ms: 0,
      usage: null,
      timings_ms: { ttft: null, model: 0, tools: 0, overhead: 0 },
    } as never,
  });
  await log.append(id, [end("m0"), end("m1"), { event: { type: "status", text: "later" } }]);
  await stream.ended;
  expect(stream.events.map((event) => event.type)).toEqual(["message", "done", "done"]);
});

test("a stream of something else breaks off where its server does", async () => {
  const cluster = open();
  const owner = await cluster.makeOwner((_incoming, response) => {
    response.writeHead(200, streamHead);
    response.write(frame(1, "stdout", {}));
  });
  const { url } = await cluster.makeFront();
  const response = await fetch(`${url}/thread/${owner.threadId}/other`);
  const reader = response.body?.getReader();
  await reader?.read();
  await owner.die();
  await expect(reader?.read()).rejects.toThrow();
});
