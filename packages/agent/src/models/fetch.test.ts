import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createRaw } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { expectSoon } from "../../../../tests/support/time-budget.ts";
import { fetchModel } from "./fetch.ts";

async function serve(answer: RequestListener): Promise<{ url: string; connections: () => number }> {
  let connections = 0;
  const server = createServer(answer).on("connection", () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    connections: () => connections,
  };
}

const post = { method: "POST", headers: { "X-Key": "k" }, body: '{"数":1}' };

test("sends what it is given and gives back status, headers and body, on one connection", async () => {
  const { url, connections } = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      response.writeHead(429, { "retry-after": "2", "set-cookie": ["a=1", "b=2"] });
      response.end(`${request.method} ${request.headers["x-key"]} ${Buffer.concat(chunks).toString()}`);
    });
  });
  for (let turn = 0; turn < 3; turn += 1) {
    const response = await fetchModel(url, post);
    expect([response.status, response.ok, response.headers.get("retry-after")]).toEqual([429, false, "2"]);
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(await response.text()).toBe('POST k {"数":1}');
  }
  expect(connections()).toBe(1);
});

test("gives each part of a stream when it comes", async () => {
  let goOn = () => {};
  const { url } = await serve((_request, response) => {
    response.write("first");
    goOn = () => response.end("last");
  });
  const reader = (await fetchModel(url, post)).body?.pipeThrough(new TextDecoderStream()).getReader();
  expect(await reader?.read()).toEqual({ done: false, value: "first" });
  goOn();
  expect(await reader?.read()).toEqual({ done: false, value: "last" });
  expect((await reader?.read())?.done).toBe(true);
});

test("holds up a server that is faster than its reader", async () => {
  const whole = 64 * 1024 * 1024;
  let sent = 0;
  const { url } = await serve((_request, response) => {
    const chunk = Buffer.alloc(65_536);
    const write = () => {
      while (sent < whole) {
        sent += chunk.length;
        if (!response.write(chunk)) return void response.once("drain", write);
      }
      response.end();
    };
    write();
  });
  const reader = (await fetchModel(url, post)).body?.getReader();
  let received = (await reader?.read())?.value?.length ?? 0;
  expect(sent).toBeLessThan(whole);
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
    received += part.value.length;
  expect(received).toBe(whole);
});

test("fails as fetch does: nobody there, cut off, given up before and in the middle", async () => {
  await expect(fetchModel("http://127.0.0.1:1/", post)).rejects.toMatchObject({
    name: "TypeError",
    message: "fetch failed",
    cause: { code: "ECONNREFUSED" },
  });
  const { url } = await serve((request, response) => {
    response.write("begun");
    if (request.url === "/v1?cut") setImmediate(() => response.destroy());
  });
  await expect((await fetchModel(`${url}?cut`, post)).text()).rejects.toMatchObject({
    message: "terminated",
  });
  const reason = new Error("enough");
  await expect(fetchModel(url, { ...post, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const stop = new AbortController();
  const response = await fetchModel(url, { ...post, signal: stop.signal });
  const reading = response.text();
  stop.abort(reason);
  await expect(reading).rejects.toBe(reason);
});

test("closes the connection when the body is cancelled", async () => {
  const closed = Promise.withResolvers<void>();
  const { url } = await serve((_request, response) => {
    response.on("close", closed.resolve);
    response.write("begun");
  });
  const response = await fetchModel(url, post);
  await response.body?.cancel();
  await expectSoon(closed.promise, "the connection closes");
});

test("reads a body that was compressed unasked", async () => {
  const { url } = await serve((_request, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("plain"));
  });
  expect(await (await fetchModel(url, post)).text()).toBe("plain");
});

test.each(["HTTP/1.1 000 No", "HTTP/1.1 999 No", "HTTP/1.1 101 Go", "HTTP/1.1 200 O\x01K", "hello"])(
  "fails, and throws nowhere else, when a server says %j",
  async (line) => {
    const hostile = createRaw((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.end(`${line}\r\ncontent-length: 0\r\n\r\n`, "latin1"));
    });
    await new Promise<void>((resolve) => hostile.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void hostile.close());
    const { port } = hostile.address() as AddressInfo;
    await expect(fetchModel(`http://127.0.0.1:${port}/`, { method: "POST", body: "{}" })).rejects.toThrow(
      "fetch failed",
    );
  },
);
