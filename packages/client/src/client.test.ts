import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { AtollApiError, AtollClient, type StoredEvent } from "./index.ts";

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

type Answer = (response: ServerResponse, seen: Seen) => void;

/** A server that gives the answers of a script, one for each request, and remembers what it was asked. */
async function serveScript(...script: Answer[]): Promise<{ client: AtollClient; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const entry = { method, url, headers, body: Buffer.concat(chunks).toString() };
      seen.push(entry);
      script[Math.min(seen.length, script.length) - 1]?.(response, entry);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { client: new AtollClient({ baseUrl: `http://127.0.0.1:${port}/`, token: "secret" }), seen };
}

const json =
  (body: unknown, status = 200): Answer =>
  (response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

const frame = (event: object & { id: number; type: string }) =>
  `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify({ thread_id: "t", at: "now", ...event })}\n\n`;

/** Sends events, then ends the stream in order or cuts the connection. */
const events =
  (list: readonly (object & { id: number; type: string })[], end: "end" | "cut" = "end"): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`: heartbeat\n\n${list.map(frame).join("")}`, () =>
      end === "end" ? response.end() : response.destroy(),
    );
  };

async function collect(stream: AsyncIterable<StoredEvent>): Promise<string[]> {
  const types: string[] = [];
  for await (const event of stream) types.push(`${event.id} ${event.type}`);
  return types;
}

test("a call has the token, the body and an encoded path", async () => {
  const { client, seen } = await serveScript(json({ response: "hi" }));
  expect(await client.threads.send("a/b", "hello", { mode: "steer" })).toEqual({ response: "hi" });
  expect(seen[0]).toMatchObject({
    method: "POST",
    url: "/thread/a%2Fb/message",
    headers: { authorization: "Bearer secret", "content-type": "application/json" },
    body: '{"message":"hello","mode":"steer"}',
  });
});

test("a refusal is an error with the server's code, words and hint", async () => {
  const { client } = await serveScript(
    json({ code: "not_found", message: "no thread", hint: "make one" }, 404),
  );
  const error = await client.threads.get("x").catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(AtollApiError);
  expect(error).toMatchObject({
    status: 404,
    code: "not_found",
    message: "no thread",
    hint: "make one",
    isRetryable: false,
  });
});

test("an answer that is not ours is told as such", async () => {
  const { client } = await serveScript((response) => response.writeHead(502).end("<h1>Bad gateway</h1>"));
  await expect(client.threads.list()).rejects.toMatchObject({ status: 502, code: "unexpected_answer" });
});

const message = { id: 5, type: "message", message_id: "m1" };
const done = { id: 9, type: "done", message_id: "m1", run_id: "r1" };

test("a stream that is cut goes on where it was, without loss or repetition", async () => {
  const { client, seen } = await serveScript(
    events([message, { id: 6, type: "token" }], "cut"),
    json({ code: "shutting_down", message: "later", hint: "" }, 503),
    events(
      [
        { id: 6, type: "token" },
        { id: 7, type: "token" },
      ],
      "cut",
    ),
    events([{ id: 8, type: "token" }, done, { id: 10, type: "token" }]),
  );
  expect(await collect(client.threads.stream("t", "go"))).toEqual([
    "5 message",
    "6 token",
    "7 token",
    "8 token",
    "9 done",
  ]);
  expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
    "POST /thread/t/message/stream",
    "GET /thread/t/events",
    "GET /thread/t/events",
    "GET /thread/t/events",
  ]);
  expect(seen.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "6", "6", "7"]);
});

test("a stream of a message that steers ends with the run it steered", async () => {
  const steered = { id: 6, type: "steered", message_id: "m1", run_id: "r0" };
  const end = { id: 7, type: "done", message_id: "m0", run_id: "r0" };
  const { client } = await serveScript(events([message, steered, end, { id: 8, type: "token" }]));
  expect(await collect(client.threads.stream("t", "also"))).toEqual(["5 message", "6 steered", "7 done"]);
});

test("a message that the server refused is not sent again", async () => {
  const { client, seen } = await serveScript(json({ code: "rate_limited", message: "slow", hint: "" }, 429));
  await expect(collect(client.threads.stream("t", "go"))).rejects.toMatchObject({ code: "rate_limited" });
  expect(seen).toHaveLength(1);
});

test("events end when the thread is gone, and when the caller gives up", async () => {
  const { client } = await serveScript(
    events([{ id: 1, type: "token" }]),
    json({ code: "not_found", message: "gone", hint: "" }, 404),
  );
  await expect(collect(client.threads.events("t"))).rejects.toMatchObject({ code: "not_found" });

  const aborter = new AbortController();
  const open = await serveScript((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(frame({ id: 1, type: "token" }));
  });
  const got: number[] = [];
  for await (const event of open.client.threads.events("t", { after: 0, signal: aborter.signal })) {
    got.push(event.id);
    aborter.abort();
  }
  expect(got).toEqual([1]);
});

test("files go up as a form, also from a stream", async () => {
  const { client, seen } = await serveScript(json({ message: "", files: [] }));
  const stream = new Blob(["from ", "a stream"]).stream() as ReadableStream<Uint8Array>;
  await client.upload([
    { name: 'a"b.csv', content: stream },
    { name: "c.txt", content: "text" },
  ]);
  await client.upload([{ name: "d.txt", content: "plain" }]);
  const [streamed, plain] = seen;
  expect(streamed?.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
  expect(streamed?.body).toContain('name="files"; filename="a%22b.csv"');
  expect(streamed?.body).toContain("\r\n\r\nfrom a stream\r\n");
  expect(streamed?.body).toContain("\r\n\r\ntext\r\n");
  expect(plain?.body).toContain('filename="d.txt"');
});

test("files of threads and of sandboxes have their own routes", async () => {
  const { client, seen } = await serveScript(json({}));
  await client.threads.files("t1").list("/data", { recursive: true });
  await client.sandboxes.files("s1").move("a", "b");
  await client.sandboxes.files("s1").open("a b", { range: { start: 2, end: 3 } });
  expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
    "GET /thread/t1/files?path=%2Fdata&recursive=true",
    "POST /sandboxes/s1/files/move",
    "GET /sandboxes/s1/files/content?path=a+b",
  ]);
  expect(seen[2]?.headers["range"]).toBe("bytes=2-3");
});
