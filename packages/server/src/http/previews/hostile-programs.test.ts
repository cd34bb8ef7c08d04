import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, BlockList, connect, createServer as createRaw, type Server } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { Guesses } from "../security/guesses.ts";
import { signPass } from "./preview-token.ts";
import { PreviewChecks } from "./checks.ts";
import { Previews, type PreviewsOptions } from "./previews.ts";

const id = "d9d173ca69ae7f67f2cbd362";
const key = Buffer.alloc(32, 7);
const empty = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A server that shows a program which answers every request with these bytes. */
async function open(raw: string, options: Partial<PreviewsOptions> = {}) {
  const seen: string[] = [];
  const program = createRaw((socket) => {
    const index = seen.push("") - 1;
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => {
      const wasAnswered = seen[index]?.includes("\r\n\r\n") ?? false;
      seen[index] += chunk.toString("latin1");
      if (!wasAnswered && seen[index]?.includes("\r\n\r\n")) socket.write(raw, "latin1");
    });
  });
  const inside = await listen(program);
  const previews = new Previews({
    connect: async () => {
      const socket = connect(inside, "127.0.0.1");
      await once(socket, "connect");
      return socket;
    },
    ...options,
  });
  const server = createServer(
    { shouldUpgradeCallback: (request) => previews.takesUpgrade(request) },
    (request, response) => {
      if (!previews.handle(request, response)) response.end("the server itself");
    },
  );
  server.on("upgrade", (request, stream, head) => previews.handleUpgrade(request, stream, head));
  const port = await listen(server);
  return { port, seen, host: `3000-${id}.localhost:${port}` };
}

/** Sends these bytes, and gives back what comes until `isEnough`, or until the connection ends. */
async function exchange(port: number, bytes: string, isEnough = (text: string) => text.includes("\r\n\r\n")) {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  const enough = Promise.withResolvers<void>();
  let text = "";
  socket.setEncoding("latin1").on("data", (part: string) => {
    text += part;
    if (isEnough(text)) enough.resolve();
  });
  socket.on("error", () => {});
  socket.once("close", enough.resolve);
  socket.write(bytes);
  await enough.promise;
  return text;
}

const statusOf = (answer: string) => Number(answer.split(" ")[1]);
const ask = (path: string, headers: string) => `GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`;
const pathTo = (rest = "") => `/preview/${id}/3000/${rest}`;
const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k";

it.each([
  ["a status text that Node refuses to write", "HTTP/1.1 200 O\x01K\r\ncontent-length: 0\r\n\r\n", 200],
  ["status 000", "HTTP/1.1 000 None\r\ncontent-length: 0\r\n\r\n", 502],
  ["status 099", "HTTP/1.1 099 None\r\ncontent-length: 0\r\n\r\n", 502],
  ["a switch of protocols", "HTTP/1.1 101 Go\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n", 502],
  ["a switch to no protocol", "HTTP/1.1 101 Go\r\n\r\n", 502],
])("a program that answers with %s ends that answer only", async (_name, raw, status) => {
  const { port, host } = await open(raw);
  const answer = await exchange(port, ask("/", `Host: ${host}`));
  expect(statusOf(answer)).toBe(status);
  if (status === 502) expect(answer).toContain('"code":"protocol_error"');
  expect(statusOf(await exchange(port, ask(pathTo(), "Host: localhost")))).toBe(status);
});

it("in path form only headers that describe the page get through", async () => {
  const names = [
    "Clear-Site-Data",
    "Set-Cookie",
    "Strict-Transport-Security",
    "Service-Worker-Allowed",
    "Refresh",
    "Link",
    "Report-To",
    "NEL",
    "Alt-Svc",
    "WWW-Authenticate",
    "X-Accel-Redirect",
    "Access-Control-Allow-Credentials",
  ];
  const lines = names.map((name) => `${name}: x\r\n`).join("");
  const { port } = await open(
    `HTTP/1.1 200 OK\r\n${lines}ETag: "e"\r\nContent-Type: text/html\r\ncontent-length: 2\r\n\r\nhi`,
  );
  const answer = await exchange(port, ask(pathTo(), "Host: localhost"), (text) => text.endsWith("hi"));
  for (const name of names) expect(answer.toLowerCase()).not.toContain(`\n${name.toLowerCase()}:`);
  expect(answer).toMatch(/etag: "e"/i);
  expect(answer).toMatch(/content-type: text\/html/i);
});

it("the body of a GET stays a body for the program", async () => {
  const { port, host, seen } = await open(empty);
  const body = "DELETE /other HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const framing = `Connection: content-length\r\nContent-Length: ${body.length}`;
  await exchange(port, `${ask("/", `Host: ${host}\r\n${framing}`)}${body}`);
  expect(seen[0]?.toLowerCase()).toContain(`content-length: ${body.length}\r\n`);
});

it("TRACE reaches no program", async () => {
  const { port, host, seen } = await open(empty);
  const answer = await exchange(port, `TRACE / HTTP/1.1\r\nHost: ${host}\r\nCookie: a=1\r\n\r\n`);
  expect([statusOf(answer), seen]).toEqual([405, []]);
});

it("the answer to an upgrade is read, and must be one that switches", async () => {
  const good = `HTTP/1.1 101 Go\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: a\r\nSet-Cookie: x=1\r\n\r\nfirst`;
  const opened = await open(good);
  const request = ask(pathTo(), `Host: localhost\r\n${upgrade}`);
  const answer = await exchange(opened.port, request, (text) => text.endsWith("first"));
  expect(answer).toMatch(/^HTTP\/1\.1 101 /);
  expect(answer).toMatch(/sec-websocket-accept: a/i);
  expect(answer).not.toMatch(/set-cookie/i);

  for (const raw of ["garbage\r\n\r\n", "HTTP/1.1 101 Go\r\n\r\n", "HTTP/1.1 099 No\r\n\r\n"]) {
    const { port } = await open(raw);
    expect(statusOf(await exchange(port, request))).toBe(502);
  }
  const refusing = await open("HTTP/1.1 403 No\r\nClear-Site-Data: *\r\nContent-Length: 2\r\n\r\nno");
  const refused = await exchange(refusing.port, request, () => false);
  expect(refused).toMatch(/^HTTP\/1\.1 403 /);
  expect(refused).not.toMatch(/clear-site-data/i);
  expect(refused.endsWith("no")).toBe(true);
});

const checks = (options: { max?: number; isHostChecked?: boolean } = {}) =>
  new PreviewChecks({
    isHostChecked: options.isHostChecked ?? true,
    rateLimit: { windowMs: 60_000, max: options.max ?? 0 },
    trustedProxies: new BlockList(),
    guesses: new Guesses(),
  });

it("a foreign Host or Origin gets nothing, as from the API", async () => {
  const { port, host, seen } = await open(empty, { checks: checks() });
  const status = async (path: string, headers: string) => statusOf(await exchange(port, ask(path, headers)));
  const local = `Host: localhost:${port}`;
  expect(await status(pathTo(), "Host: evil.example")).toBe(403);
  expect(await status(pathTo(), `${local}\r\nOrigin: http://evil.example`)).toBe(403);
  expect(await status("/", `Host: ${host}\r\nOrigin: http://evil.example`)).toBe(403);
  expect(await status("/", `Host: ${host}\r\nOrigin: null`)).toBe(403);
  expect(await status("/", `Host: ${host}\r\nSec-Fetch-Site: cross-site`)).toBe(403);
  expect(await status("/", `Host: ${host}\r\nOrigin: http://evil.example\r\n${upgrade}`)).toBe(403);
  expect(await status(pathTo(), `${local}\r\nOrigin: http://evil.example\r\n${upgrade}`)).toBe(403);
  expect(seen).toEqual([]);
  expect(await status("/", `Host: ${host}\r\nOrigin: http://${host}`)).toBe(200);
  expect(await status("/", `Host: ${host}\r\nOrigin: null\r\nSec-Fetch-Site: same-origin`)).toBe(200);
  expect(await status("/", `Host: ${host}\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate`)).toBe(
    200,
  );
  const sibling = `Origin: http://${host.replace("3000", "4000")}\r\nSec-Fetch-Site: cross-site`;
  expect(await status("/", `Host: ${host}\r\n${sibling}`)).toBe(200);
  // A page in path form has no origin.
  expect(await status(pathTo(), `${local}\r\nOrigin: null\r\nSec-Fetch-Site: cross-site`)).toBe(200);
});

it("guesses of passes and tokens meet 429, while the right ones still open", async () => {
  const { port, host, seen } = await open(empty, { checks: checks(), signingKey: key, token: "token" });
  const counts: Record<number, number> = {};
  for (let guess = 0; guess < 150; guess += 1) {
    const credential = [
      `Authorization: Bearer guess${guess}`,
      `Cookie: atoll_preview=1.${guess}`,
      `X: ${guess}`,
    ][guess % 3];
    const path = guess % 3 === 2 ? `/?atoll_preview=9999999999.${guess}` : "/";
    const status = statusOf(await exchange(port, ask(path, `Host: ${host}\r\n${credential}`)));
    counts[status] = (counts[status] ?? 0) + 1;
  }
  expect(Object.keys(counts).map(Number)).toEqual([401, 429]);
  expect([seen, (counts[429] ?? 0) > 50]).toEqual([[], true]);
  const pass = signPass({ sandboxId: id, port: 3000, expires: Math.floor(Date.now() / 1000) + 60 }, key);
  const right = [`Authorization: Bearer token`, `Cookie: atoll_preview=${pass}`];
  for (const credential of right)
    expect(statusOf(await exchange(port, ask("/", `Host: ${host}\r\n${credential}`)))).toBe(200);
});

it("requests in a window are bounded", async () => {
  const { port, host } = await open(empty, { checks: checks({ max: 1 }) });
  const statuses = [];
  for (let index = 0; index < 12; index += 1)
    statuses.push(statusOf(await exchange(port, ask("/", `Host: ${host}`))));
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429]);
});
