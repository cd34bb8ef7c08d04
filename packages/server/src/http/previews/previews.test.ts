import { once } from "node:events";
import { createServer, type IncomingMessage, request, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";
import { buffer } from "node:stream/consumers";
import { AtollError } from "@atoll/sandbox";
import { expect, it, onTestFinished } from "vitest";
import { readPreviewAddress, writePreviewAddresses } from "./address.ts";
import { signPass } from "./preview-token.ts";
import { Previews, type PreviewsOptions } from "./previews.ts";

const id = "d9d173ca69ae7f67f2cbd362";
const key = Buffer.alloc(32, 7);

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A server that shows what a program answers, and is otherwise itself. */
async function open(program: RequestListener | Server, options: Partial<PreviewsOptions> = {}) {
  const inside = await listen(typeof program === "function" ? createServer(program) : program);
  const asked: [string, number][] = [];
  const previews = new Previews({
    connect: async (sandboxId, port) => {
      asked.push([sandboxId, port]);
      const socket = connect(inside, "127.0.0.1");
      await once(socket, "connect");
      return socket;
    },
    ...options,
  });
  const server = createServer((incoming, response) => {
    if (!previews.handle(incoming, response)) response.end("the server itself");
  });
  server.on("upgrade", (incoming, stream, head) => {
    if (!previews.handleUpgrade(incoming, stream, head)) stream.destroy();
  });
  const port = await listen(server);
  const get = async (path: string, headers: Record<string, string> = {}, body?: string) => {
    const outgoing = request({
      port,
      path,
      headers,
      method: body === undefined ? "GET" : "POST",
      agent: false,
    });
    outgoing.end(body);
    const [response] = (await once(outgoing, "response")) as [IncomingMessage];
    return {
      status: response.statusCode,
      headers: response.headers,
      text: (await buffer(response)).toString(),
    };
  };
  return { port, get, asked, hostOf: (inner: number) => ({ host: `${inner}-${id}.localhost:${port}` }) };
}

const mirror: RequestListener = (incoming, response) => {
  response.setHeader("set-cookie", "theirs=1");
  void buffer(incoming).then((body) =>
    response.end(JSON.stringify([incoming.method, incoming.url, incoming.headers, body.toString()])),
  );
};

it("reads both forms of an address, and nothing else", () => {
  const at = (host: string, url = "/") => readPreviewAddress(host, url);
  expect(at(`8000-${id}.localhost:9999`, "/a?b")).toEqual({
    sandboxId: id,
    port: 8000,
    form: "host",
    target: "/a?b",
  });
  expect(at("localhost", `/preview/${id}/8000/a?b`)).toEqual({
    sandboxId: id,
    port: 8000,
    form: "path",
    target: "/a?b",
  });
  expect(at("localhost", `/preview/${id}/8000`)?.target).toBe("/");
  expect(at("localhost", `/preview/${id}/8000?x=1`)?.target).toBe("/?x=1");
  for (const host of [
    "localhost:8000",
    `0-${id}.localhost`,
    `70000-${id}.localhost`,
    `80-${id}.localhost.evil.com`,
  ])
    expect(at(host)).toBeUndefined();
  for (const url of [
    "/preview/",
    `/preview/${id}`,
    `/preview/${id}/x/`,
    `/preview/../${id}/80/`,
    "/thread/x",
  ])
    expect(at("localhost", url)).toBeUndefined();
});

it("writes addresses that it reads again", () => {
  const { url, path } = writePreviewAddresses("http://127.0.0.1:8000", id, 3000);
  expect([url, path]).toEqual([`http://3000-${id}.localhost:8000/`, `/preview/${id}/3000/`]);
  expect(writePreviewAddresses("http://127.0.0.1:8000", "Has_Capitals", 3000)).toEqual({
    path: "/preview/Has_Capitals/3000/",
  });
});

it("shows a program's answers at an origin of its own, as if the browser were inside", async () => {
  const { get, asked, hostOf } = await open(mirror);
  const headers = {
    ...hostOf(3000),
    cookie: "a=1; atoll_session=s; b=2",
    origin: "http://x",
    authorization: "Basic x",
  };
  const answer = await get("/page?q=数".replace("数", "%E6%95%B0"), headers, "body");
  const [method, url, seen, body] = JSON.parse(answer.text) as [
    string,
    string,
    Record<string, string>,
    string,
  ];
  expect([method, url, body, asked]).toEqual(["POST", "/page?q=%E6%95%B0", "body", [[id, 3000]]]);
  expect(seen).toMatchObject({
    host: "localhost:3000",
    origin: "http://localhost:3000",
    cookie: "a=1; b=2",
    authorization: "Basic x",
    "x-forwarded-host": headers.host,
  });
  expect(answer.headers["set-cookie"]).toEqual(["theirs=1"]);
  expect((await get("/threads")).text).toBe("the server itself");
});

it("below the server's own address a page has no origin and sets no cookie", async () => {
  const { get } = await open(mirror);
  const { headers, text } = await get(`/preview/${id}/3000/page`);
  expect((JSON.parse(text) as string[])[1]).toBe("/page");
  expect(headers["set-cookie"]).toBeUndefined();
  expect(headers["content-security-policy"]).toMatch(/^sandbox (?!.*allow-same-origin)/);
});

it("browsers keep nothing of it, unless the program says so", async () => {
  const { get, hostOf } = await open(({ url }, response) =>
    response.writeHead(200, url === "/kept" ? { "cache-control": "max-age=60" } : {}).end(),
  );
  expect((await get("/", hostOf(3000))).headers["cache-control"]).toBe("no-store");
  expect((await get("/kept", hostOf(3000))).headers["cache-control"]).toBe("max-age=60");
});

it("streams, and ends the request inside when the browser leaves", async () => {
  const left = Promise.withResolvers<void>();
  const { port, hostOf } = await open((_incoming, response) => {
    response.on("close", left.resolve);
    response.write("first");
  });
  const outgoing = request({ port, path: "/", headers: hostOf(3000), agent: false }).end();
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  expect(String((await once(response, "data"))[0])).toBe("first");
  response.on("error", () => {});
  outgoing.destroy();
  await left.promise;
});

it("lets a WebSocket through, both ways", async () => {
  const program = createServer().on("upgrade", (incoming, stream, head) => {
    stream.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: ${incoming.headers.upgrade}\r\nconnection: upgrade\r\n\r\n`,
    );
    stream.write(head);
    stream.pipe(stream);
  });
  const { port, hostOf } = await open(program);
  const headers = { ...hostOf(3000), connection: "upgrade", upgrade: "websocket", "sec-websocket-key": "k" };
  const outgoing = request({ port, path: "/socket", headers, agent: false }).end();
  const [, stream] = (await once(outgoing, "upgrade")) as [IncomingMessage, Duplex];
  stream.write("ping");
  expect(String((await once(stream, "data"))[0])).toBe("ping");
  stream.end();
  await once(stream, "close");
});

it("tells a person and a program in their own words that nothing listens, or that there is no such sandbox", async () => {
  const fail = (message: string) => async () => {
    throw new AtollError("not_found", message);
  };
  const closed = await open(mirror, { connect: fail("nothing listens on port 3000 inside the sandbox") });
  const page = await closed.get("/", { ...closed.hostOf(3000), accept: "text/html" });
  expect([page.status, page.text]).toEqual([502, expect.stringContaining("Nothing listens on port 3000")]);
  const json = await closed.get("/", closed.hostOf(3000));
  expect(JSON.parse(json.text)).toMatchObject({ code: "nothing_listens", hint: expect.any(String) });
  const none = await open(mirror, { connect: fail("There is no such thread.") });
  expect((await none.get("/", none.hostOf(3000))).status).toBe(404);
});

it("where a token is needed, only a pass of this port opens it, until it expires", async () => {
  const { get, hostOf, asked } = await open(mirror, {
    signingKey: key,
    token: "token",
  });
  const soon = Math.floor(Date.now() / 1000) + 60;
  const pass = signPass({ sandboxId: id, port: 3000, expires: soon }, key);
  const refused = [
    await get("/", hostOf(3000)),
    await get(
      `/?atoll_preview=${signPass({ sandboxId: id, port: 3000, expires: soon - 120 }, key)}`,
      hostOf(3000),
    ),
    await get(`/?atoll_preview=${pass}x`, hostOf(3000)),
    await get(`/?atoll_preview=${pass}`, hostOf(3001)),
    await get("/", { ...hostOf(3001), cookie: `atoll_preview=${pass}` }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  expect(asked).toEqual([]);

  const exchanged = await get(`/page?a=1&atoll_preview=${pass}`, hostOf(3000));
  expect([exchanged.status, exchanged.headers.location]).toEqual([302, "/page?a=1"]);
  const cookie = exchanged.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  const shown = await get("/page?a=1", { ...hostOf(3000), cookie });
  expect([shown.status, shown.text.includes("atoll_preview")]).toEqual([200, false]);
  const own = await get("/", { ...hostOf(3000), authorization: "Bearer token" });
  expect([own.status, own.text.includes("Bearer")]).toEqual([200, false]);
});
