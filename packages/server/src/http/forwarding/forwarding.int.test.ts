import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request, type RequestOptions } from "node:http";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { RedisServer } from "../../../../../tests/support/redis-server.ts";
import { SmallCluster } from "./small-cluster.harness.ts";
import { forwardedHeader, notOwnerHeader, proveBody, Signatures, type Verified } from "./signature.ts";

let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(() => redis[Symbol.asyncDispose]());

const open = () => new SmallCluster(redis.url, onTestFinished);

test("a request goes to the owner with a signature, without what belongs to one connection, and its answer comes back", async () => {
  const cluster = open();
  const seen: IncomingMessage[] = [];
  const said: (Verified | undefined)[] = [];
  const { threadId, member } = await cluster.makeOwner(async (incoming, response, forwarded) => {
    seen.push(incoming);
    said.push(forwarded);
    const body = await text(incoming);
    response.writeHead(207, [
      "ETag",
      "1",
      "Set-Cookie",
      "a=1",
      "X-Mine",
      "1",
      "Connection",
      "x-hop",
      "X-Hop",
      "1",
    ]);
    response.end(`got ${body}`);
  });
  const { url, member: front } = await cluster.makeFront();
  const target = `/thread/${threadId}/message?a=%20b`;
  const response = await fetch(url + target, {
    method: "POST",
    body: '{"message": "hi"}',
    headers: { "content-type": "application/json", te: "trailers", [forwardedHeader]: "forged" },
  }).catch((error: unknown) => error);
  // A header that only servers may send is refused before anything is passed on.
  expect((response as Response).status).toBe(403);
  const again = await fetch(url + target, {
    method: "POST",
    body: '{"message": "hi"}',
    headers: {
      "content-type": "application/json",
      te: "trailers",
      authorization: "Bearer secret",
      cookie: "atoll_session=secret",
      "x-api-key": "secret",
    },
  });
  expect([again.status, await again.text()]).toEqual([207, 'got {"message": "hi"}']);
  expect(again.headers.getSetCookie()).toEqual([]);
  expect(["etag", "x-mine", "x-hop", "x-frame-options"].map((name) => again.headers.get(name))).toEqual([
    "1",
    null,
    null,
    "DENY",
  ]);
  expect(seen).toHaveLength(1);
  const { headers, method = "", url: seenTarget = "" } = seen[0] as IncomingMessage;
  expect([method, seenTarget, headers.te]).toEqual(["POST", target, undefined]);
  expect(Object.values(headers).join()).not.toContain("secret");
  expect(said).toMatchObject([{ purpose: "request", from: front.id, isAuthenticated: false }]);
  expect(member.id).not.toBe(front.id);
});

test("a body of any size flows through while it comes, both ways", async () => {
  const cluster = open();
  const { threadId } = await cluster.makeOwner((incoming, response) => {
    response.writeHead(200, { "content-type": "application/octet-stream" });
    incoming.pipe(response);
  });
  const { url } = await cluster.makeFront();
  const outgoing = request(`${url}/thread/${threadId}/files`, { method: "POST" });
  outgoing.write("first");
  // The owner has answered the beginning before the client has sent the end.
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  const [begin] = (await once(response, "data")) as [Buffer];
  expect(String(begin)).toBe("first");
  const content = randomBytes(20 * 1024 * 1024);
  Readable.from([content]).pipe(outgoing);
  expect(content.equals(await buffer(response))).toBe(true);
});

test.each([
  ["in chunks", () => ({ "transfer-encoding": "chunked" })],
  [
    "of a length that is said to belong to one connection",
    (length: number) => ({ "content-length": String(length), connection: "content-length" }),
  ],
  [
    "in chunks that are said to belong to one connection",
    () => ({ "transfer-encoding": "chunked", connection: "transfer-encoding" }),
  ],
])("the body of a GET %s arrives as a body: the owner sees no second request", async (_name, frame) => {
  const cluster = open();
  const seen: string[] = [];
  const { threadId } = await cluster.makeOwner(async (incoming, response) => {
    seen.push(`${incoming.method} ${incoming.url} ${await text(incoming)}`);
    response.end("answered");
  });
  const { url } = await cluster.makeFront();
  const smuggled = "GET /settings HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const target = `/thread/${threadId}/status`;
  const { status } = await ask(url + target, { method: "GET", headers: frame(smuggled.length) }, smuggled);
  expect(status).toBe(200);
  expect(seen).toEqual([`GET ${target} ${smuggled}`]);
});

test("when the client goes away the owner's request is given up", async () => {
  const cluster = open();
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<IncomingMessage>();
  const { threadId } = await cluster.makeOwner((incoming) => arrive(incoming.on("error", () => {})));
  const { url } = await cluster.makeFront();
  const outgoing = request(`${url}/thread/${threadId}/status`).on("error", () => {});
  outgoing.end();
  const incoming = await arrived;
  outgoing.destroy();
  await vi.waitFor(() => expect(incoming.socket.destroyed).toBe(true), 90_000);
});

test("a request that meets a server without the thread is led to the one that has it", async () => {
  const cluster = open();
  const asked: string[] = [];
  const second = await cluster.makeOwner((_incoming, response) => {
    asked.push("second");
    response.end("{}");
  });
  const first = await cluster.makeOwner((_incoming, response) => {
    asked.push("first");
    response.writeHead(503, { [notOwnerHeader]: "yes" }).end();
  });
  const { url, member } = await cluster.makeFront();
  // No server counts this thread among what it has, so that none puts the table right in between.
  const id = randomBytes(6).toString("hex");
  await member.redis.set(`atoll:lease:thread:${id}`, first.member.id);
  const asking = fetch(`${url}/thread/${id}/stop`, { method: "POST" });
  await vi.waitFor(() => expect(asked).toContain("first"), 90_000);
  await member.redis.set(`atoll:lease:thread:${id}`, second.member.id);
  expect((await asking).status).toBe(200);
  expect(asked.at(-1)).toBe("second");
});

test("a request that was passed on is never passed on again", async () => {
  const cluster = open();
  const { threadId } = await cluster.makeOwner((_incoming, response) => response.end("{}"));
  const { url, member } = await cluster.makeFront();
  const target = `/thread/${threadId}/status`;
  const signatures = new Signatures({ secret: cluster.secret, self: () => ({ id: "x" }) });
  const request = { method: "GET", target, host: new URL(url).host };
  const said = { purpose: "request", isAuthenticated: false, client: "::1", body: "none" } as const;
  const [, value] = signatures.sign({ ...request, ...said }, member).headers;
  const response = await fetch(url + target, { headers: { [forwardedHeader]: value } });
  expect([response.status, response.headers.get(notOwnerHeader)]).toEqual([503, "yes"]);
});

test("a request for a server that is gone waits for its lease to end, and is answered here", async () => {
  const cluster = open();
  const owner = await cluster.makeOwner(() => {});
  const front = await cluster.makeFront();
  const id = await front.newThread();
  await owner.member.leases.acquire(`thread:${id}`);
  await owner.die();
  const response = await fetch(`${front.url}/thread/${id}/stop`, { method: "POST" });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ thread_id: id });
  expect(front.member.leases.has(`thread:${id}`)).toBe(true);
});

test("what the owner may have done before it died is not asked for twice", async () => {
  const cluster = open();
  const seen: string[] = [];
  const owner = await cluster.makeOwner((incoming) => {
    seen.push(incoming.method ?? "");
    incoming.socket.destroy();
  });
  const { url } = await cluster.makeFront();
  const response = await fetch(`${url}/thread/${owner.threadId}/messages`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"message":"x"}',
  });
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    code: "unavailable",
    hint: expect.stringMatching(/Look whether/),
  });
  expect(seen).toEqual(["POST"]);
});

test("a request that waits for a server which only seems to live is answered when that is found dead", async () => {
  const cluster = open();
  const arrived = Promise.withResolvers<void>();
  // Takes the request and never answers, as a machine without power does.
  const owner = await cluster.makeOwner(() => arrived.resolve());
  const front = await cluster.makeFront();
  const id = await front.newThread();
  await owner.member.leases.acquire(`thread:${id}`);
  const asking = fetch(`${front.url}/thread/${id}/status`);
  await arrived.promise;
  await owner.member.expire();
  expect((await asking).status).toBe(200);
});

test("a token is checked where the client asks, and believed where the request is passed on to", async () => {
  const cluster = open();
  const token = "a-token-of-sufficient-length";
  const config = { isLoopback: false, token };
  const owner = await cluster.makeFront(config);
  const id = await owner.newThread();
  await owner.member.leases.acquire(`thread:${id}`);
  const front = await cluster.makeFront(config);
  const target = `/thread/${id}/status`;
  expect((await fetch(front.url + target)).status).toBe(401);
  const authorized = { authorization: `Bearer ${token}` };
  expect((await fetch(front.url + target, { headers: authorized })).status).toBe(200);
  const signatures = new Signatures({ secret: randomBytes(32), self: () => ({ id: "x" }) });
  const request = { method: "GET", target, host: new URL(owner.url).host };
  const said = { purpose: "request", isAuthenticated: true, client: "::1", body: "none" } as const;
  const [, value] = signatures.sign({ ...request, ...said }, owner.member).headers;
  expect((await fetch(owner.url + target, { headers: { [forwardedHeader]: value } })).status).toBe(403);
});

test("nothing of an answer reaches a client that no server of the installation gave", async () => {
  const cluster = open();
  const impostor = await cluster.makeOwner(
    (_incoming, response) => response.writeHead(200, { "content-type": "text/html" }).end("<script>"),
    { isImpostor: true },
  );
  const { url } = await cluster.makeFront({}, { patienceMs: 500 });
  const response = await fetch(`${url}/thread/${impostor.threadId}/status`);
  expect([response.status, response.headers.get("content-type")]).toEqual([503, "application/json"]);
  expect(await response.text()).not.toContain("<script>");
});

test("a signature opens one request at one server, once, and only what it says", async () => {
  const cluster = open();
  const config = { isLoopback: false, token: "a-token-of-sufficient-length" };
  const [one, other] = [await cluster.makeFront(config), await cluster.makeFront(config)];
  const id = await one.newThread();
  await one.member.leases.acquire(`thread:${id}`);
  const signatures = new Signatures({ secret: cluster.secret, self: () => ({ id: "third" }) });
  const target = `/thread/${id}`;
  const usual = {
    method: "PATCH",
    target,
    host: new URL(one.url).host,
    purpose: "request",
    isAuthenticated: true,
    client: "192.0.2.1",
    body: proveBody(Buffer.from('{"title":"signed"}')),
  } as const;
  const send = async (
    value: string,
    { url = one.url, path = target, method = "PATCH", title = "signed" } = {},
  ) => {
    const headers = { [forwardedHeader]: value, "content-type": "application/json", host: usual.host };
    return (await ask(url + path, { method, headers }, method === "PATCH" ? JSON.stringify({ title }) : ""))
      .status;
  };
  const sign = (change: object = {}) => signatures.sign({ ...usual, ...change }, one.member).headers[1];

  expect(await send(sign(), { title: "changed" })).toBe(403);
  expect(await send(sign({ body: "none" }))).toBe(403);
  expect(await send(sign(), { url: other.url })).toBe(403);
  expect(await send(sign(), { path: "/settings", method: "GET" })).toBe(403);
  expect(await send(sign({ host: "elsewhere" }))).toBe(403);
  for (const purpose of ["preview", "upgrade", "resumption"]) expect(await send(sign({ purpose }))).toBe(403);
  expect(await send(sign({ isAuthenticated: false }))).toBe(401);
  expect(one.store.threads.get(id)?.title ?? "").not.toMatch(/signed|changed/);
  const value = sign();
  expect([await send(value), await send(value)]).toEqual([200, 403]);
  expect(one.store.threads.get(id)?.title).toBe("signed");
});

/** As `fetch`, with a Host of one's own. */
async function ask(url: string, options: RequestOptions, body: string): Promise<{ status: number }> {
  const outgoing = request(url, options).end(body);
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  response.resume();
  return { status: response.statusCode ?? 0 };
}
