import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { makeTestServer } from "../test-server.harness.ts";

/** Sends bytes as they are and gives back all that comes until the connection ends. */
async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.setEncoding("utf8").on("data", (text: string) => (answer += text));
  socket.on("error", () => {});
  socket.write(bytes);
  await once(socket, "close");
  return answer;
}

const bodyOf = (answer: string): { code?: string } =>
  JSON.parse(answer.split("\r\n\r\n")[1] ?? "{}") as { code?: string };

test.each([
  ["garbage", "this is not HTTP\r\n\r\n", 400, "bad_request"],
  [
    "headers without end",
    `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"a".repeat(20_000)}\r\n\r\n`,
    431,
    "headers_too_large",
  ],
  ["no Host", "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "bad_request"],
  [
    "a Host that is none",
    "GET /healthz HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n",
    400,
    "bad_request",
  ],
  [
    "a backslash in the path",
    "GET /thread\\..\\x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    400,
    "bad_request",
  ],
  [
    "a foreign Host",
    "GET /threads HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
    403,
    "forbidden",
  ],
  [
    "a whole address for another host",
    "GET http://evil.example/threads HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
    403,
    "forbidden",
  ],
  [
    "an unknown method",
    "BREW /threads HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    400,
    "bad_request",
  ],
  [
    "TRACE",
    "TRACE /threads HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    405,
    "method_not_allowed",
  ],
])("%s is refused as JSON", async (_name, bytes, status, code) => {
  const { listen } = await makeTestServer(onTestFinished);
  const { port } = await listen();
  const answer = await exchange(port, bytes);
  expect([answer.split(" ")[1], bodyOf(answer).code]).toEqual([String(status), code]);
  expect(answer).toMatch(/x-content-type-options: nosniff/i);
});

test("a client that does not finish its headers is given up", async () => {
  const { listen } = await makeTestServer(onTestFinished);
  const { port } = await listen({ idleMs: 100 });
  const answer = await exchange(port, "GET / HTTP/1.1\r\nHost: localhost\r\n");
  expect([answer.split(" ")[1], bodyOf(answer).code]).toEqual(["408", "request_timeout"]);
});

test.each([
  ["says nothing", ""],
  ["sends half a head", "GET / HTTP/1.1\r\nHost: local"],
  ["sends no HTTP", "hello\r\n\r\n"],
])("a client that %s is disconnected, also if it keeps its side open", async (_name, bytes) => {
  const { listen } = await makeTestServer(onTestFinished);
  const { port } = await listen({ idleMs: 100 });
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  let isReset = false;
  socket.on("error", () => (isReset = true)).resume();
  if (bytes !== "") socket.write(bytes);
  await once(socket, "end");
  await expect
    .poll(() => (isReset ? true : (socket.write("x"), isReset)), { timeout: 30_000, interval: 100 })
    .toBe(true);
});

test("connections without a head take only a share, and idle ones make room, so that a new client gets in", async () => {
  const { listen } = await makeTestServer(onTestFinished);
  const { port, url } = await listen({ maxConnections: 8 });
  const open = (bytes: string) => {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    onTestFinished(() => void socket.destroy());
    socket.write(bytes);
    return socket;
  };
  const crowd = Array.from({ length: 20 }, (_, index) =>
    open(index % 2 === 0 ? "GET" : "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").resume(),
  );
  for (let turn = 0; turn < 10; turn += 1)
    expect((await fetch(`${url}/healthz`, { headers: { connection: "close" } })).status).toBe(200);
  await expect.poll(() => crowd.filter((socket) => !socket.closed).length).toBeLessThanOrEqual(8);
});

test("a client that stops in the middle of its body is given up", async () => {
  const { listen, newThread } = await makeTestServer(onTestFinished, { config: { idleMs: 50 } });
  const { port } = await listen();
  const head = `POST /thread/${await newThread()}/message HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
  const answer = await exchange(port, `${head}Content-Length: 100\r\n\r\n{"mess`);
  expect([answer.split(" ")[1], bodyOf(answer).code]).toEqual(["408", "request_timeout"]);
});

test("a body that says it is too large is refused before it is sent", async () => {
  const { listen, newThread } = await makeTestServer(onTestFinished);
  const { port } = await listen();
  const head = `POST /thread/${await newThread()}/message HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
  const answer = await exchange(port, `${head}Content-Length: 999999999\r\n\r\n`);
  expect([answer.split(" ")[1], bodyOf(answer).code]).toEqual(["413", "too_large"]);
});

test("a client that is still sending what nobody wants gets the whole answer", async () => {
  const { listen } = await makeTestServer(onTestFinished);
  const { port } = await listen();
  const size = 4 * 1024 * 1024;
  const head = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
  for (let turn = 0; turn < 10; turn += 1) {
    const answer = await exchange(port, `${head}Content-Length: ${size}\r\n\r\n${"x".repeat(size)}`);
    const [, length] = /content-length: (\d+)/i.exec(answer) ?? [];
    expect(Buffer.byteLength(answer.split("\r\n\r\n")[1] ?? "")).toBe(Number(length));
  }
});

test("a port that is taken is told in words", async () => {
  const { listen } = await makeTestServer(onTestFinished);
  const { port } = await listen();
  await expect(listen({ port })).rejects.toThrow(`port ${port} is in use: end what uses it, or set PORT`);
});

test("the seed's curl lines find their routes over a real connection", async () => {
  const { listen } = await makeTestServer(onTestFinished);
  const { url } = await listen();
  const { thread_id: id } = (await (await fetch(`${url}/thread/new`, { method: "POST" })).json()) as {
    thread_id: string;
  };
  const init = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ message: "hi" }),
  };
  expect(await (await fetch(`${url}/thread/${id}/message`, init)).json()).toMatchObject({
    response: "forty-two",
  });
  expect(await (await fetch(`${url}/thread/${id}/message/stream`, init)).text()).toContain("event: done");
  const overview = await (await fetch(url)).json();
  expect(overview).toMatchObject({ endpoints: { "POST /upload": expect.any(String) } });
  const browser = await fetch(url, { headers: { accept: "text/html" }, redirect: "manual" });
  expect([browser.status, browser.headers.get("location")]).toEqual([302, "/ui"]);
});
