import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  request as send,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect, createServer as createRaw, type Server } from "node:net";
import { buffer } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import {
  endToEndRequest,
  formatAnswerHead,
  ProxyingError,
  receiveAnswer,
  receiveUpgrade,
  writeAnswerHead,
} from "./index.ts";

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const requestWith = (rawHeaders: string[], method = "GET") => {
  const headers: Record<string, string> = {};
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers[(rawHeaders[index] ?? "").toLowerCase()] ??= rawHeaders[index + 1] ?? "";
  return { method, rawHeaders, headers };
};

/** What a proxy made of the module sends on, byte by byte, when it is sent these bytes. */
async function sentOn(bytes: string): Promise<string> {
  const seen = Promise.withResolvers<string>();
  const upstream = createRaw((socket) => {
    let text = "";
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
    socket.once("end", () => seen.resolve(text));
  });
  const port = await listen(upstream);
  const proxy = createServer((incoming, response) => {
    const { method, headers, hasBody } = endToEndRequest(incoming, { without: ["x-secret"] });
    const outgoing = send({ port, method, path: incoming.url, headers, setHost: false, agent: false });
    receiveAnswer(outgoing).catch(() => response.destroy());
    if (hasBody) incoming.pipe(outgoing);
    else outgoing.end();
    outgoing.once("finish", () => setImmediate(() => outgoing.destroy()));
  });
  const socket = connect(await listen(proxy), "127.0.0.1");
  socket.on("error", () => {});
  socket.write(bytes);
  const text = await seen.promise;
  socket.destroy();
  return text;
}

it.each(["GET", "HEAD", "DELETE", "OPTIONS", "POST"])(
  "frames the body of %s as it came, whatever Connection says",
  async (method) => {
    const smuggled = "GET /inner HTTP/1.1\r\nhost: a\r\n\r\n";
    const start = `${method} / HTTP/1.1\r\nHost: a\r\nX-Secret: s\r\nConnection: content-length, host, transfer-encoding, x-hop\r\nX-Hop: 1\r\n`;
    const chunk = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`;
    const chunked = await sentOn(`${start}Transfer-Encoding: chunked\r\n\r\n${chunk}`);
    expect(chunked.toLowerCase()).toContain("\r\ntransfer-encoding: chunked\r\n");
    expect(chunked.split("\r\n\r\n").slice(1).join("\r\n\r\n")).toBe(chunk);
    const counted = await sentOn(`${start}Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`);
    expect(counted.toLowerCase()).toContain(`\r\ncontent-length: ${smuggled.length}\r\n`);
    expect(counted).not.toMatch(/x-hop|x-secret/i);
    expect(counted).toMatch(/host: a/i);
  },
);

it("refuses methods that echo or tunnel, two hosts, and encodings that it does not undo", () => {
  for (const method of ["TRACE", "TRACK", "CONNECT", "trace"])
    expect(() => endToEndRequest(requestWith([], method))).toThrow(ProxyingError);
  expect(() => endToEndRequest(requestWith(["Host", "a", "host", "b"]))).toThrow("more than one host");
  expect(() => endToEndRequest(requestWith(["transfer-encoding", "gzip, chunked"]))).toThrow("only chunked");
});

it("gives a body that replaces the incoming one its own length", () => {
  const incoming = requestWith(["Content-Length", "9", "A", "b"], "POST");
  expect(endToEndRequest(incoming, { bodyBytes: 3 }).headers).toEqual(["A", "b", "content-length", "3"]);
  expect(endToEndRequest(requestWith(["A", "b"])).hasBody).toBe(false);
});

/** A client's view of a raw answer that went through the module. */
async function passBack(raw: string | Buffer, isKept?: (name: string) => boolean) {
  const upstream = createRaw((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(raw));
  });
  const port = await listen(upstream);
  const listener: RequestListener = async (_incoming, response: ServerResponse) => {
    try {
      const answer = await receiveAnswer(send({ port, agent: false }).end());
      writeAnswerHead(response, answer, { isKept, headers: { "x-own": "1" } });
      answer.pipe(response);
    } catch (error) {
      response.writeHead(error instanceof ProxyingError ? error.status : 500).end(String(error));
    }
  };
  const outgoing = send({ port: await listen(createServer(listener)), agent: false }).end();
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  return { response, text: (await buffer(response)).toString() };
}

it.each([
  ["status 000", "HTTP/1.1 000 None\r\n\r\n"],
  ["status 099", "HTTP/1.1 099 None\r\n\r\n"],
  ["status 600", "HTTP/1.1 600 None\r\n\r\n"],
  ["status 999", "HTTP/1.1 999 None\r\n\r\n"],
  ["a switch of protocols", "HTTP/1.1 101 Go\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"],
  ["a switch to nothing", "HTTP/1.1 101 Go\r\n\r\n"],
  ["interim answers without end", "HTTP/1.1 102 Wait\r\n\r\n".repeat(100)],
])("answers 502 to %s", async (_name, raw) => {
  const { response } = await passBack(raw);
  expect(response.statusCode).toBe(502);
});

it("replaces a status text that Node refuses to write", async () => {
  const { response, text } = await passBack("HTTP/1.1 200 O\x01K\r\ncontent-length: 2\r\n\r\nhi");
  expect([response.statusCode, response.statusMessage, text]).toEqual([200, "OK", "hi"]);
});

it("keeps the headers that are asked for, all of a name, and the framing", async () => {
  const raw =
    "HTTP/1.1 200 Fine\r\nset-cookie: a=1\r\nset-cookie: b=2\r\nx-own: theirs\r\nclear-site-data: *\r\nconnection: content-length\r\ncontent-length: 2\r\n\r\nhi";
  const all = await passBack(raw);
  expect(all.response.headers).toMatchObject({ "set-cookie": ["a=1", "b=2"], "x-own": "1" });
  expect([all.response.headers["content-length"], all.response.statusMessage]).toEqual(["2", "Fine"]);
  const few = await passBack(raw, (name) => name === "etag");
  expect(few.response.headers["clear-site-data"]).toBeUndefined();
  expect([few.response.headers["content-length"], few.text]).toEqual(["2", "hi"]);
});

it("reads the answer to an upgrade as a head before bytes flow", async () => {
  const answers = [
    "HTTP/1.1 101 Go\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-A: 1\r\n\r\nfirst",
    "HTTP/1.1 403 No\r\ncontent-length: 2\r\n\r\nno",
    "HTTP/1.1 101 Go\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n",
    "not http at all",
  ];
  const upstream = createRaw((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(answers.shift() ?? ""));
  });
  const port = await listen(upstream);
  const headers = { connection: "Upgrade", upgrade: "websocket" };
  const ask = () => receiveUpgrade(send({ port, headers, agent: false }).end(), "websocket");
  const switched = await ask();
  expect(formatAnswerHead(switched.answer)).toBe(
    "HTTP/1.1 101 Go\r\nX-A: 1\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n",
  );
  expect(switched.stream && String(switched.head)).toBe("first");
  const plain = await ask();
  expect(formatAnswerHead(plain.answer)).toBe(
    "HTTP/1.1 403 No\r\ncontent-length: 2\r\nconnection: close\r\n\r\n",
  );
  await expect(ask()).rejects.toThrow(ProxyingError);
  await expect(ask()).rejects.toThrow();
});
