import { once } from "node:events";
import {
  createServer as createHttp,
  request,
  type RequestListener,
  type Server,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect, createServer, type Server as NetServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import type { EgressOptions, NetworkPolicy, Traffic } from "../contract/network.ts";
import { EgressProxy } from "./proxy.ts";

const hello: RequestListener = (incoming, response) => {
  response.end(`${incoming.method} ${incoming.url} of ${incoming.headers.host}`);
};

async function listen(server: Server | NetServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A proxy behind a port, as the guest puts it there. */
async function open(
  policy: NetworkPolicy,
  options: EgressOptions = {},
  names: Record<string, string[]> = {},
) {
  const asked: string[] = [];
  const traffic: Traffic[] = [];
  const resolve = async (host: string) => {
    asked.push(host);
    return names[host] ?? [];
  };
  const onTraffic = (entry: Traffic) => void traffic.push(entry);
  const proxy = new EgressProxy(policy, { onTraffic, ...options }, resolve);
  onTestFinished(() => proxy.close());
  const port = await listen(createServer({ allowHalfOpen: true }, (socket) => proxy.accept(socket)));
  return { port, asked, traffic };
}

async function get(port: number, url: string, headers: Record<string, string> = {}) {
  const outgoing = request({ port, path: url, headers, agent: false }).end();
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() };
}

async function sendRaw(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.setEncoding("utf8").on("data", (part: string) => (answer += part));
  socket.on("error", () => {});
  socket.end(text);
  await once(socket, "close");
  return answer;
}

it("passes requests on to a host that is allowed, and tells of them", async () => {
  const site = await listen(createHttp(hello));
  const { port, traffic } = await open(
    { allow: ["mirror.test"] },
    { addresses: { "mirror.test": `http://127.0.0.1:${site}` } },
  );
  const answer = await get(port, "http://mirror.test/simple/?q=1", { "proxy-authorization": "x" });
  expect(answer).toMatchObject({ status: 200, text: "GET /simple/?q=1 of mirror.test" });
  expect(traffic).toMatchObject([
    { method: "GET", host: "mirror.test", port: 80, outcome: "allowed", receivedBytes: answer.text.length },
  ]);
});

it("tunnels, at any port that is allowed, and each direction may end first", async () => {
  const echo = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket));
  const site = await listen(echo);
  const { port, traffic } = await open(
    { allow: ["mirror.test:8443"] },
    { addresses: { "mirror.test": `https://127.0.0.1:${site}` } },
  );
  const answer = await sendRaw(
    port,
    "CONNECT mirror.test:8443 HTTP/1.1\r\nHost: x\r\n\r\nthrough the tunnel",
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\nthrough the tunnel$/);
  await expect.poll(() => traffic.length).toBe(1);
  expect(traffic[0]).toMatchObject({
    method: "CONNECT",
    outcome: "allowed",
    sentBytes: 18,
    receivedBytes: 18,
  });
});

it.each([
  ["a host that is not on the list", "http://other.test/"],
  ["its own machine", "http://127.0.0.1:PORT/"],
  ["its own machine, as a number", "http://2130706433:PORT/"],
  ["its own machine, mapped", "http://[::ffff:127.0.0.1]:PORT/"],
  ["the metadata service", "http://169.254.169.254/latest/meta-data/"],
  ["a port that is not allowed", "http://mirror.test:22/"],
])("refuses %s, and asks no name server", async (_name, url) => {
  const site = await listen(createHttp(hello));
  const { port, asked, traffic } = await open({ allow: ["mirror.test"] });
  const answer = await get(port, url.replace("PORT", String(site)));
  expect(answer.status).toBe(403);
  expect(answer.text).toMatch(/^atoll: the network policy/);
  expect([asked, traffic[0]?.outcome]).toEqual([[], "refused"]);
});

it.each([
  ["all-public", "http://127.0.0.1/"],
  ["all-public", "http://0x7f000001/"],
  ["all-public", "http://[::1]/"],
  ["all-public", "http://[64:ff9b::7f00:1]/"],
  ["all-public", "http://10.1.2.3/"],
  ["all-public", "http://rebound.test/"],
  [{ allow: ["rebound.test", "127.0.0.1"] }, "http://rebound.test/"],
  [{ allow: ["rebound.test", "127.0.0.1"] }, "http://127.0.0.1/"],
] as const)("with %j, %s leads to no public address and is refused", async (policy, url) => {
  const { port } = await open(policy, {}, { "rebound.test": ["127.0.0.1", "169.254.169.254", "::1"] });
  expect(await get(port, url)).toMatchObject({ status: 403, text: expect.stringMatching(/not public/) });
  const { host } = new URL(url);
  expect(await sendRaw(port, `CONNECT ${host}:443 HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403 /);
});

it("follows no redirect: whoever asked has to ask again, and is refused", async () => {
  const site = await listen(
    createHttp((_incoming, response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end()),
  );
  const { port } = await open(
    { allow: ["mirror.test"] },
    { addresses: { "mirror.test": `http://127.0.0.1:${site}` } },
  );
  const answer = await get(port, "http://mirror.test/");
  expect([answer.status, answer.headers.location]).toEqual([302, "http://127.0.0.1:1/"]);
  expect((await get(port, String(answer.headers.location))).status).toBe(403);
});

it.each([
  ["GET / HTTP/1.1\r\nHost: mirror.test\r\n\r\n", 400],
  ["GET ftp://mirror.test/ HTTP/1.1\r\nHost: x\r\n\r\n", 400],
  ["CONNECT mirror.test HTTP/1.1\r\nHost: x\r\n\r\n", 400],
  ["CONNECT mirror.test:22 HTTP/1.1\r\nHost: x\r\n\r\n", 403],
  ["CONNECT mirror.test:99999 HTTP/1.1\r\nHost: x\r\n\r\n", 403],
  ["CONNECT user@mirror.test:443 HTTP/1.1\r\nHost: x\r\n\r\n", 400],
  ["not HTTP at all\r\n\r\n", 400],
])("%j is answered with %i", async (bytes, status) => {
  const { port } = await open({ allow: ["mirror.test"] });
  expect(await sendRaw(port, bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

it("adds a host's credential, for that host only, and over TLS unless the operator says otherwise", async () => {
  const seen: (string | undefined)[] = [];
  const site = await listen(
    createHttp((incoming, response) => {
      seen.push(incoming.headers.authorization);
      response.end();
    }),
  );
  const addresses = {
    "git.test": `http://127.0.0.1:${site}`,
    "other.test": `http://127.0.0.1:${site}`,
  };
  const { port } = await open(
    { allow: ["git.test", "other.test", "tls.test"] },
    {
      addresses,
      credentials: [
        { host: "git.test", value: "Basic secret" },
        { host: "tls.test", value: "Basic other" },
      ],
    },
    { "tls.test": ["10.0.0.1"] },
  );
  await get(port, "http://git.test/", { authorization: "Basic made-up" });
  await get(port, "http://other.test/", { authorization: "Basic own" });
  expect(seen).toEqual(["Basic secret", "Basic own"]);
  expect((await get(port, "http://tls.test/")).status).toBe(403);
});

it("limits connections, requests and bytes", async () => {
  const held: ServerResponse[] = [];
  const site = await listen(
    createHttp((incoming, response) => {
      if (incoming.url === "/hold") held.push(response);
      else response.end("x".repeat(1000));
    }),
  );
  const addresses = { "mirror.test": `http://127.0.0.1:${site}` };
  const policy = { allow: ["mirror.test"] };
  const few = await open(policy, { addresses, maxConnections: 1 });
  const holding = get(few.port, "http://mirror.test/hold");
  await expect.poll(() => held.length).toBe(1);
  expect(await get(few.port, "http://mirror.test/")).toMatchObject({
    status: 429,
    text: expect.stringMatching(/1 connections open/),
  });
  held[0]?.end();
  await holding;
  expect((await get(few.port, "http://mirror.test/")).status).toBe(200);

  const slow = await open(policy, { addresses, maxRequestsPerMinute: 2 });
  const statuses = [];
  for (let turn = 0; turn < 3; turn += 1) statuses.push((await get(slow.port, "http://mirror.test/")).status);
  expect(statuses).toEqual([200, 200, 429]);

  const small = await open(policy, { addresses, maxBytes: 1500 });
  expect((await get(small.port, "http://mirror.test/")).status).toBe(200);
  await expect(get(small.port, "http://mirror.test/")).rejects.toThrow();
  expect((await get(small.port, "http://mirror.test/")).status).toBe(429);
});

it("tells of a host that cannot be reached, and of one that is not there", async () => {
  const { port } = await open(
    { allow: ["mirror.test", "nowhere.test"] },
    { addresses: { "mirror.test": "http://127.0.0.1:1" } },
  );
  expect(await get(port, "http://mirror.test/")).toMatchObject({
    status: 502,
    text: expect.stringMatching(/cannot be reached/),
  });
  expect(await get(port, "http://nowhere.test/")).toMatchObject({
    status: 502,
    text: "atoll: there is no host nowhere.test\n",
  });
});

it("leads to a service of the caller's on any port, whatever the policy, and to nothing else", async () => {
  const inner = await listen(createHttp(hello));
  const asked: number[] = [];
  const localhost = async (port: number) => {
    asked.push(port);
    if (port === 81) throw new Error("nothing listens on port 81");
    return connect(inner, "127.0.0.1");
  };
  const { port, traffic } = await open("none", { services: { localhost } });
  expect(await get(port, "http://localhost:8123/x")).toMatchObject({
    status: 200,
    text: "GET /x of localhost:8123",
  });
  const tunnel =
    "CONNECT localhost:8124 HTTP/1.1\r\nHost: x\r\n\r\nGET /y HTTP/1.1\r\nHost: y\r\nConnection: close\r\n\r\n";
  expect(await sendRaw(port, tunnel)).toMatch(/^HTTP\/1\.1 200 Connection[^]*GET \/y of y$/m);
  expect(await get(port, "http://localhost:81/")).toMatchObject({ status: 502 });
  expect(asked).toEqual([8123, 8124, 81]);
  expect(await get(port, "http://127.0.0.1:8123/")).toMatchObject({ status: 403 });
  expect(await get(port, "http://constructor/")).toMatchObject({ status: 403 });
  expect(traffic.map(({ outcome }) => outcome).toSorted()).toEqual([
    "allowed",
    "allowed",
    "failed",
    "refused",
    "refused",
  ]);
});
