import { connect } from "node:net";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import type { NewEvent } from "../../store/contract.ts";
import { makeTestServer } from "../test-server.harness.ts";
import type { Channel } from "./channel.ts";
import { pump } from "./pump.ts";

const token = (text: string): NewEvent => ({ event: { type: "token", text } });

/** Reads a stream until it holds what is asked for. */
async function readUntil(response: Response, isEnough: (text: string) => boolean): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (isEnough(text)) break;
  }
  return text;
}

const idsOf = (text: string) => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));

test("a reader gets what is stored and then what comes, over a real connection", async () => {
  const { listen, newThread, store } = await makeTestServer(onTestFinished);
  const { url } = await listen();
  const id = await newThread();
  await store.log.append(id, [token("old")]);
  const response = await fetch(`${url}/thread/${id}/events`);
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  const reading = readUntil(response, (text) => text.includes("new ü"));
  await store.log.append(id, [token("new ü")]);
  expect((await reading).match(/event: token/g)).toHaveLength(2);
});

test("Last-Event-ID goes on where a reader was cut off, and wins over after", async () => {
  const { listen, newThread, store } = await makeTestServer(onTestFinished);
  const { url } = await listen();
  const id = await newThread();
  const stored = await store.log.append(id, [token("one"), token("two"), token("three")]);
  const headers = { "last-event-id": String(stored[1]?.id) };
  const text = await readUntil(await fetch(`${url}/thread/${id}/events?after=0`, { headers }), (all) =>
    all.includes("three"),
  );
  expect(idsOf(text)).toEqual([stored[2]?.id]);
});

test("a silent stream shows that it lives", async () => {
  const { listen, newThread } = await makeTestServer(onTestFinished, { config: { heartbeatMs: 20 } });
  const { url } = await listen();
  const text = await readUntil(
    await fetch(`${url}/thread/${await newThread()}/events`),
    (all) => (all.match(/: heartbeat/g) ?? []).length >= 2,
  );
  expect(text).toBe(": heartbeat\n\n".repeat(text.length / 13));
});

test("500 readers of one thread each get every event once, in order", async () => {
  const { listen, newThread, store } = await makeTestServer(onTestFinished);
  const { url } = await listen();
  const id = await newThread();
  const readers = Array.from({ length: 500 }, async () => {
    const response = await fetch(`${url}/thread/${id}/events`);
    return readUntil(response, (text) => text.includes("the end"));
  });
  for (let n = 0; n < 40; n += 1) {
    await store.log.append(id, [token(`word ${n} `), token("and ")]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const [last] = await store.log.append(id, [token("the end")]);
  const seen = (await Promise.all(readers)).map(idsOf);
  const all = Array.from({ length: last?.id ?? 0 }, (_, index) => index + 1);
  expect(seen.filter((ids) => ids.join() !== all.join())).toEqual([]);
  expect(all).toHaveLength(81);
});

test("a closed connection ends the stream, not the run", async () => {
  const { listen, newThread, runner, store } = await makeTestServer(onTestFinished);
  const { url } = await listen();
  const id = await newThread();
  const gate = Promise.withResolvers<void>();
  runner.gate = gate.promise;
  const aborter = new AbortController();
  await fetch(`${url}/thread/${id}/message/stream`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ message: "go on" }),
    signal: aborter.signal,
  });
  const [messageId] = [...runner.waiting];
  aborter.abort();
  gate.resolve();
  const done = await runner.waitForDone(id, messageId ?? "", new AbortController().signal);
  expect(done.response).toBe("forty-two");
  expect(store.log.read(id).at(-1)?.type).toBe("done");
});

test("a reader that reads nothing is asked for nothing more, and is dropped in the end", async () => {
  const { listen, newThread, store } = await makeTestServer(onTestFinished);
  const { port } = await listen({ idleMs: 400 });
  const id = await newThread();
  const text = "x".repeat(100_000);
  for (let n = 0; n < 100; n += 1) await store.log.append(id, [token(text)]);
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.pause();
  socket.write(`GET /thread/${id}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.on("error", () => {});
  // Paused, the socket does not notice its end by reading; writing to a connection that is gone does.
  const poke = setInterval(() => socket.write(" "), 50);
  await closed;
  clearInterval(poke);
  expect(socket.bytesRead).toBeLessThan(100 * 100_000);
});

test("the next event is asked for only when the reader has room", async () => {
  const asked: number[] = [];
  async function* lines() {
    for (let id = 1; id <= 5; id += 1) {
      asked.push(id);
      yield { id, type: "token", json: "{}", event: {} } as never;
    }
  }
  const room = Promise.withResolvers<void>();
  const channel: Channel = {
    signal: new AbortController().signal,
    send: () => {},
    ready: () => (asked.length === 2 ? room.promise : undefined),
    beat: () => {},
    end: () => {},
  };
  const pumping = pump(channel, lines());
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toEqual([1, 2]);
  room.resolve();
  await pumping;
  expect(asked).toEqual([1, 2, 3, 4, 5]);
});

test("a server that closes ends its streams and is gone", async () => {
  const { listen, newThread } = await makeTestServer(onTestFinished);
  const serving = await listen();
  const response = await fetch(`${serving.url}/thread/${await newThread()}/events`);
  const ended = response.text();
  await serving.close();
  expect(await ended).toBe("");
  await expect(fetch(`${serving.url}/healthz`)).rejects.toThrow();
});

test("HEAD of a stream has its headers and ends", async () => {
  const { listen, newThread } = await makeTestServer(onTestFinished);
  const { url } = await listen();
  const response = await fetch(`${url}/thread/${await newThread()}/events`, { method: "HEAD" });
  expect([response.status, await response.text()]).toEqual([200, ""]);
});
