import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import type { EgressOptions, Traffic } from "../contract/network.ts";
import { EgressProxy } from "./proxy.ts";

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A proxy in front of an allowed host that reads a request and answers with these bytes. */
async function open(raw: string, options: EgressOptions = {}) {
  const seen: string[] = [];
  const traffic: Traffic[] = [];
  const host = createServer((socket) => {
    socket.on("error", () => {});
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      seen[0] = text;
      if (text.includes("\r\n\r\n")) socket.write(raw);
    });
  });
  const site = `http://127.0.0.1:${await listen(host)}`;
  const proxy = new EgressProxy(
    { allow: ["site.test"] },
    { addresses: { "site.test": site }, onTraffic: (entry) => void traffic.push(entry), ...options },
  );
  onTestFinished(() => proxy.close());
  const port = await listen(createServer({ allowHalfOpen: true }, (socket) => proxy.accept(socket)));
  return { port, seen, traffic };
}

async function get(port: number, method = "GET") {
  const outgoing = request({ port, path: "http://site.test/", method, agent: false }).end();
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  response.on("error", () => {});
  outgoing.destroy();
  return response;
}

it.each([
  ["a status text that Node refuses to write", "HTTP/1.1 200 O\x01K\r\ncontent-length: 0\r\n\r\n", 200],
  ["status 000", "HTTP/1.1 000 None\r\ncontent-length: 0\r\n\r\n", 502],
  ["status 099", "HTTP/1.1 099 None\r\ncontent-length: 0\r\n\r\n", 502],
  ["a switch of protocols", "HTTP/1.1 101 Go\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n", 502],
  ["a switch to no protocol", "HTTP/1.1 101 Go\r\n\r\n", 502],
  ["no HTTP", "hello\r\n\r\n", 502],
])("an allowed host that answers with %s ends that answer only", async (_name, raw, status) => {
  const { port, traffic } = await open(raw);
  expect((await get(port)).statusCode).toBe(status);
  expect((await get(port)).statusCode).toBe(status);
  await expect.poll(() => traffic.length).toBe(2);
});

it.each(["HTTP/1.1 000 None", "HTTP/1.1 200 O\x01K", "HTTP/1.1 101 Go", "hello"])(
  "a program at what localhost means to a browser that answers %j ends that answer only",
  async (line) => {
    const program = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.end(`${line}\r\ncontent-length: 0\r\n\r\n`, "latin1"));
    });
    const inside = await listen(program);
    const { port } = await open("", {
      services: {
        "site.test": async () => {
          const socket = connect(inside, "127.0.0.1");
          await once(socket, "connect");
          return socket;
        },
      },
    });
    for (let turn = 0; turn < 3; turn += 1) expect([200, 502]).toContain((await get(port)).statusCode);
  },
);

it.each(["TRACE", "TRACK", "CONNECT"])("%s as a plain method reaches no host", async (method) => {
  const { port, seen } = await open("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", {
    credentials: [{ host: "site.test", value: "Bearer secret" }],
  });
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.setEncoding("utf8").on("data", (text: string) => (answer += text));
  socket.end(`${method} http://site.test/ HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n\r\n`);
  await once(socket, "close");
  expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect([seen, answer.includes("secret")]).toEqual([[], false]);
});

it.each([
  [
    "chunked",
    (body: string) => `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  ],
  [
    "with a length",
    (body: string) => `Content-Length: ${body.length}\r\nConnection: content-length\r\n\r\n${body}`,
  ],
])("the body of a GET, %s, stays a body", async (_name, frame) => {
  const { port, seen } = await open("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
  const body = "DELETE /other HTTP/1.1\r\nHost: site.test\r\n\r\n";
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(`GET http://site.test/ HTTP/1.1\r\nHost: site.test\r\n${frame(body)}`);
  await expect.poll(() => seen[0] ?? "").toContain("DELETE");
  socket.destroy();
  const [head = "", rest = ""] = (seen[0] ?? "").split(/\r\n\r\n(.*)/s);
  const isChunked = /transfer-encoding: chunked/i.test(head) && rest.startsWith(body.length.toString(16));
  const isCounted = head.toLowerCase().includes(`content-length: ${body.length}`) && rest === body;
  expect(isChunked || isCounted).toBe(true);
});
