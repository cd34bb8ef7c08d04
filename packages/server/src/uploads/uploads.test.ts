import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AtollError } from "@atoll/sandbox";
import type { UploadRecord } from "../store/contract.ts";
import { makeDataDir, openTemporaryStore } from "../store/temporary-store.harness.ts";
import type { UploadRequest, UploadSink } from "./contract.ts";
import { receiveUploads } from "./multipart.ts";
import { receiveBody } from "./raw-body.ts";

const maxBytes = 1_000_000;

describe("a form", () => {
  it("of one or many files is kept, in order, whatever their names", async () => {
    const { sink, stored } = await makeSink();
    const large = Buffer.alloc(600_000, "large");
    const request = await toRequest([
      ["files", "one.csv", "a,b\n"],
      ["files", "数据 ü.csv", large],
      ["file", "../../etc/passwd", "x"],
    ]);
    const { kept, refused } = await receiveUploads(request, { sink, maxBytes, maxFiles: 10 });
    expect(kept.map(({ name, sizeBytes }) => [name, sizeBytes])).toEqual([
      ["one.csv", 4],
      ["数据 ü.csv", 600_000],
      ["passwd", 1],
    ]);
    expect(kept[1]?.sha256).toBe(createHash("sha256").update(large).digest("hex"));
    expect(refused).toEqual([]);
    expect(stored()).toHaveLength(3);
  });

  it("with an empty file keeps the others and says which it left out", async () => {
    const { sink, stored } = await makeSink();
    const request = await toRequest([
      ["files", "empty.csv", ""],
      ["files", "full.csv", "x"],
    ]);
    const { kept, refused } = await receiveUploads(request, { sink, maxBytes, maxFiles: 10 });
    expect(kept.map(({ name }) => name)).toEqual(["full.csv"]);
    expect(refused).toMatchObject([{ name: "empty.csv", error: { message: "The file is empty." } }]);
    expect(stored()).toHaveLength(1);
  });

  it.each<[string, () => Promise<UploadRequest>, string, RegExp]>([
    ["that is none", async () => raw("application/json", "{}"), "invalid_argument", /multipart\/form-data/],
    [
      "without a type",
      async () => ({ headers: {}, body: Readable.from([]) }),
      "invalid_argument",
      /multipart/,
    ],
    ["without a boundary", async () => raw("multipart/form-data", "x"), "invalid_argument", /boundary/],
    ["without a file", () => toRequest([["other", undefined, "1"]]), "invalid_argument", /no file/],
    ["with no file chosen", () => toRequest([["files", "", ""]]), "invalid_argument", /no file/],
    ["with another field", () => toRequest([["document", "a.csv", "x"]]), "invalid_argument", /called files/],
    ["that is cut off in a file", () => cut(/second half/), "aborted", /broke off/],
    ["that is cut off at its end", () => cut(/--\r\n$/), "aborted", /broke off/],
    ["of garbage", async () => raw("multipart/form-data; boundary=b", "\0\0"), "aborted", /broke off/],
    [
      "with a file too large",
      () =>
        toRequest([
          ["files", "a", "x"],
          ["files", "b", Buffer.alloc(maxBytes + 1)],
        ]),
      "too_large",
      /larger than the limit/,
    ],
    [
      "with too many files",
      () => toRequest(Array.from({ length: 11 }, (_, n) => ["files", `f${n}`, "x"])),
      "invalid_argument",
      /More than 10 files/,
    ],
    [
      "with too many fields",
      () => toRequest(Array.from({ length: 200 }, (_, n) => [`f${n}`, undefined, "x"])),
      "invalid_argument",
      /Too many fields/,
    ],
  ])("%s is refused in whole", async (_, makeRequest, code, message) => {
    const { sink, stored } = await makeSink();
    const received = receiveUploads(await makeRequest(), { sink, maxBytes, maxFiles: 10 });
    const error: AtollError = await received.then(
      () => expect.fail("it was taken"),
      (refusal: AtollError) => refusal,
    );
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)]);
    expect(stored()).toEqual([]);
  });

  it("whose sender goes away leaves nothing", async () => {
    const { sink, stored } = await makeSink();
    const outcome = Promise.withResolvers<unknown>();
    const { port } = await serve(
      (request) => receiveUploads(request, { sink, maxBytes, maxFiles: 10 }),
      outcome,
    );
    const head = partHead("files", "a.csv");
    const socket = connect(port, "127.0.0.1");
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n`);
    socket.write(`Content-Length: 900000\r\n\r\n${head}${"x".repeat(500_000)}`);
    await expect.poll(() => sink.receiving).toBe(1);
    socket.destroy();
    expect(await outcome.promise).toMatchObject({ code: "aborted" });
    expect(stored()).toEqual([]);
  });

  it("that is too large is answered while it is still being sent", async () => {
    const { sink, stored } = await makeSink();
    const outcome = Promise.withResolvers<unknown>();
    const { port } = await serve(
      (request) => receiveUploads(request, { sink, maxBytes, maxFiles: 10 }),
      outcome,
    );
    const sending = httpRequest({
      port,
      method: "POST",
      headers: { "content-type": "multipart/form-data; boundary=b", "content-length": 1e12 },
    });
    sending.on("error", () => {});
    sending.write(partHead("files", "a.bin"));
    sending.write(Buffer.alloc(maxBytes + 1));
    const [response] = await once(sending, "response");
    expect(response.statusCode).toBe(413);
    sending.destroy();
    expect(await outcome.promise).toMatchObject({ code: "too_large" });
    expect(stored()).toEqual([]);
  });

  it("that its receiver gives up leaves nothing", async () => {
    const { sink, stored } = await makeSink();
    const leave = new AbortController();
    async function* stalled() {
      yield Buffer.from(`${partHead("files", "a.csv")}some`);
      setImmediate(() => leave.abort());
      await new Promise(() => {});
    }
    const request = { headers: { "content-type": "multipart/form-data; boundary=b" }, body: stalled() };
    const received = receiveUploads(request, { sink, maxBytes, maxFiles: 1, signal: leave.signal });
    await expect(received).rejects.toMatchObject({ code: "aborted" });
    expect(stored()).toEqual([]);
  });
});

describe("a body that is a file", () => {
  it("is kept, also when it is empty", async () => {
    const { sink } = await makeSink();
    const options = { sink, maxBytes, name: "a b.bin" };
    const kept = await receiveBody({ headers: {}, body: Readable.from([Buffer.from("abc")]) }, options);
    expect(kept).toMatchObject({ name: "a b.bin", sizeBytes: 3 });
    const empty = await receiveBody({ headers: { "content-length": "0" }, body: Readable.from([]) }, options);
    expect(empty.sizeBytes).toBe(0);
  });

  it("is refused before it is read when it says that it is too large", async () => {
    const { sink, stored } = await makeSink();
    const body = new Readable({ read: () => expect.fail("it was read") });
    const request = { headers: { "content-length": String(maxBytes + 1) }, body };
    await expect(receiveBody(request, { sink, maxBytes, name: "a" })).rejects.toMatchObject({
      code: "too_large",
    });
    expect(stored()).toEqual([]);
  });

  it("is refused when it is shorter than it says, or longer than it may be", async () => {
    const { sink, stored } = await makeSink();
    const short = { headers: { "content-length": "10" }, body: Readable.from([Buffer.from("abc")]) };
    await expect(receiveBody(short, { sink, maxBytes, name: "a" })).rejects.toMatchObject({
      code: "aborted",
    });
    const long = { headers: {}, body: Readable.from([Buffer.alloc(maxBytes), Buffer.alloc(1)]) };
    await expect(receiveBody(long, { sink, maxBytes, name: "a" })).rejects.toMatchObject({
      code: "too_large",
    });
    expect(stored()).toEqual([]);
  });
});

async function makeSink(): Promise<{
  sink: UploadSink<UploadRecord> & { receiving: number };
  stored: () => string[];
}> {
  const dataDir = await makeDataDir(onTestFinished);
  const { uploads } = await openTemporaryStore(onTestFinished, dataDir);
  const folder = join(dataDir, "server/uploads");
  return {
    sink: {
      receiving: 0,
      receive(name, content, options) {
        this.receiving += 1;
        return uploads.receive(name, content, options);
      },
      discard: ({ fileId }) => uploads.remove(fileId),
    },
    stored: () =>
      readdirSync(folder, { recursive: true })
        .map(String)
        .filter((name) => name !== ".incoming"),
  };
}

type Part = readonly [field: string, filename: string | undefined, content: string | Uint8Array];

async function toRequest(parts: readonly Part[]): Promise<UploadRequest> {
  const chunks = parts.flatMap(([field, filename, content]) => [partHead(field, filename), content, "\r\n"]);
  const bytes = Buffer.concat([...chunks, "--b--\r\n"].map((chunk) => Buffer.from(chunk)));
  return {
    headers: { "content-type": "multipart/form-data; boundary=b" },
    body: Readable.from(split(bytes)),
  };
}

async function cut(at: RegExp): Promise<UploadRequest> {
  const { headers, body } = await toRequest([
    ["files", "whole.csv", "x"],
    ["files", "a.csv", "first half, second half"],
  ]);
  const bytes = Buffer.concat(await (body as Readable).toArray());
  return { headers, body: Readable.from([bytes.subarray(0, bytes.toString("latin1").search(at))]) };
}

function raw(type: string, content: string): UploadRequest {
  return { headers: { "content-type": type }, body: Readable.from([Buffer.from(content)]) };
}

function partHead(field: string, filename: string | undefined): string {
  const file =
    filename === undefined ? "" : `; filename="${filename}"\r\nContent-Type: application/octet-stream`;
  return `--b\r\nContent-Disposition: form-data; name="${field}"${file}\r\n\r\n`;
}

function* split(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.byteLength; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

/** Answers as a route would: with the failure's status, and then an end to the connection. */
async function serve(
  receive: (request: UploadRequest) => Promise<unknown>,
  outcome: PromiseWithResolvers<unknown>,
): Promise<{ port: number }> {
  const server = createServer((incoming, response) => {
    receive({ headers: incoming.headers, body: incoming }).then(outcome.resolve, (error: AtollError) => {
      outcome.resolve(error);
      response.writeHead(error.code === "too_large" ? 413 : 400, { connection: "close" }).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port };
}
