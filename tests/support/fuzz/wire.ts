import { connect } from "node:net";

/** An HTTP client that sends any bytes, also what no client would. */
export interface Answer {
  /** 0: the connection ended without an answer. */
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** The body came to the end that its framing promised. */
  readonly isWhole: boolean;
  readonly durationMs: number;
}

export interface ExchangeOptions {
  readonly isHead?: boolean;
  /** Ends the sending side after the last byte, as a client does that has gone half away. */
  readonly isCut?: boolean;
  /** Leaves an event stream as soon as its headers are there. */
  readonly isLeavingStreams?: boolean;
  readonly deadlineMs?: number;
}

/** A request that takes longer hangs. On a busy machine, one may wait half a minute for others. */
export const HANG_MS = 60_000;

class Hang extends Error {}

/** One answer to one request. Throws a `Hang` when neither an answer nor the end comes in time. */
export async function exchange(
  port: number,
  bytes: Uint8Array,
  options: ExchangeOptions = {},
): Promise<Answer> {
  const { isHead = false, isCut = false, isLeavingStreams = false, deadlineMs = HANG_MS } = options;
  const startedAt = performance.now();
  const received = await receive(port, bytes, { isCut, deadlineMs }, (all) => {
    const answer = parseAnswer(all, isHead);
    if (!answer) return false;
    return answer.isWhole || (isLeavingStreams && isEventStream(answer.headers));
  });
  const answer = parseAnswer(received, isHead);
  const durationMs = performance.now() - startedAt;
  const isUntilClose = !answer?.headers.has("content-length") && !answer?.headers.has("transfer-encoding");
  return answer
    ? { ...answer, isWhole: answer.isWhole || isUntilClose, durationMs }
    : { status: 0, headers: new Map(), body: received, isWhole: received.length === 0, durationMs };
}

/** All that comes until the other side closes, or until it is enough. */
export async function receive(
  port: number,
  bytes: Uint8Array,
  { isCut, deadlineMs }: { isCut: boolean; deadlineMs: number },
  isEnough: (all: Buffer) => boolean,
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const chunks: Buffer[] = [];
  const timer = setTimeout(() => reject(new Hang(`nothing came to an end in ${deadlineMs} ms`)), deadlineMs);
  socket.on("data", (chunk) => {
    chunks.push(chunk);
    if (isEnough(join(chunks))) resolve(join(chunks));
  });
  socket.on("end", () => resolve(join(chunks)));
  socket.on("close", () => resolve(join(chunks)));
  socket.on("error", () => resolve(join(chunks)));
  if (isCut) socket.end(bytes);
  else socket.write(bytes);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

/** Undefined while the headers are not all there. Interim answers (100) are passed over. */
function parseAnswer(all: Buffer, isHead: boolean): Omit<Answer, "durationMs"> | undefined {
  const end = all.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [first = "", ...lines] = all.subarray(0, end).toString("latin1").split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? 0);
  const rest = all.subarray(end + 4);
  if (status >= 100 && status < 200) return parseAnswer(rest, isHead);
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  // Before the method is known to the server, a refusal of HEAD has a body like any other.
  const isBare = status === 204 || status === 304 || (isHead && rest.length === 0);
  if (isBare) return { status, headers, body: rest, isWhole: rest.length === 0 };
  if (headers.get("transfer-encoding") === "chunked") return { status, headers, ...readChunked(rest) };
  const length = headers.get("content-length");
  if (length === undefined) return { status, headers, body: rest, isWhole: false };
  return { status, headers, body: rest.subarray(0, Number(length)), isWhole: rest.length >= Number(length) };
}

function readChunked(rest: Buffer): { body: Buffer; isWhole: boolean } {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = rest.indexOf("\r\n", at);
    const size = lineEnd < 0 ? NaN : Number.parseInt(rest.subarray(at, lineEnd).toString("latin1"), 16);
    if (Number.isNaN(size)) return { body: join(parts), isWhole: false };
    if (size === 0) return { body: join(parts), isWhole: true };
    parts.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
    if (at > rest.length) return { body: join(parts), isWhole: false };
  }
}

function isEventStream(headers: ReadonlyMap<string, string>): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") ?? false;
}

function join(chunks: readonly Buffer[]): Buffer {
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}
