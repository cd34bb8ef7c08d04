import * as fc from "fast-check";

/** Raw answers as a program or a host could give them that wants to break the proxy in between; latin1 text. */
export function sampleHostileAnswers(count: number, seed: number): string[] {
  return fc.sample(hostileAnswer, { seed, numRuns: count });
}

const bytes = (maxLength: number) =>
  fc
    .array(fc.integer({ min: 0, max: 255 }), { maxLength })
    .map((codes) => codes.map((code) => String.fromCharCode(code)).join(""));
const lineEnd = fc.oneof(
  { weight: 20, arbitrary: fc.constant("\r\n") },
  fc.constantFrom("\n", "\r", "\r\n "),
);
const status = fc.oneof(
  fc.constantFrom("200", "204", "206", "301", "304", "404", "500", "599"),
  fc.constantFrom(
    "000",
    "001",
    "099",
    "100",
    "101",
    "102",
    "103",
    "199",
    "600",
    "999",
    "1000",
    "-1",
    "2e2",
    "",
  ),
  fc.integer({ min: 0, max: 9999 }).map(String),
);
const reason = fc.oneof(
  fc.constantFrom("OK", "", "O\x01K", "O\x7fK", "\xff\xfe", "a".repeat(20_000), "O\tK", "x\r\ninjected: 1"),
  bytes(12),
);
const version = fc.oneof(
  { weight: 10, arbitrary: fc.constant("HTTP/1.1") },
  fc.constantFrom("HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/9.9", "http/1.1", "ICE/1.0", "RTSP/1.0", ""),
);

const names = [
  "Content-Length",
  "Transfer-Encoding",
  "Connection",
  "Upgrade",
  "Content-Type",
  "Content-Encoding",
  "Set-Cookie",
  "Clear-Site-Data",
  "Location",
  "Trailer",
  "Keep-Alive",
  "Proxy-Connection",
  "Date",
  "X-Atoll-Refusal",
  "X-Accel-Redirect",
  "__proto__",
  "constructor",
  "Content Length",
  "Bad\x01Name",
  "",
  ":status",
];
const values = [
  "0",
  "5",
  "05",
  "+5",
  "-5",
  "5, 5",
  "5, 6",
  "99999999999999999999",
  "0x5",
  "chunked",
  "gzip, chunked",
  "chunked, identity",
  "xchunked",
  "identity",
  "close",
  "keep-alive",
  "upgrade",
  "content-length, transfer-encoding, host",
  "websocket",
  "h2c",
  "gzip",
  "\x00",
  "a\x01b",
  "a\r\n folded",
  "\xe9\xff",
  "x".repeat(9000),
];
const header = fc
  .tuple(
    fc.oneof(fc.constantFrom(...names), bytes(8)),
    fc.constantFrom(": ", ":", " : ", ":\t", ""),
    fc.oneof(fc.constantFrom(...values), bytes(20)),
    lineEnd,
  )
  .map((parts) => parts.join(""));
const headers = fc.oneof(
  { weight: 12, arbitrary: fc.array(header, { maxLength: 8 }).map((lines) => lines.join("")) },
  fc.constantFrom(
    "X-Many: 1\r\n".repeat(3000),
    `X-Long: ${"y".repeat(70_000)}\r\n`,
    "Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n",
    "Content-Length: 3\r\nContent-Length: 4\r\n",
    "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
  ),
);
const body = fc.oneof(
  fc.constantFrom(
    "",
    "hello",
    "5\r\nhello\r\n0\r\n\r\n",
    "5\r\nhello\r\n0\r\nTrailer: x\r\nBad\x01: y\r\n\r\n",
    "ffffffffffffffff\r\n",
    "zz\r\n",
    "5;ext=\x01\r\nhello\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
  ),
  bytes(64),
);
const answer = fc
  .tuple(version, fc.constantFrom(" ", "  ", "\t", ""), status, reason, lineEnd, headers, lineEnd, body)
  .map(
    ([protocol, blank, code, text, end, lines, last, content]) =>
      `${protocol}${blank}${code} ${text}${end}${lines}${last}${content}`,
  );
/** Valid but for its status line, so that it gets past the parser and on to the code behind it. */
const nearlyValid = fc
  .tuple(status, reason, fc.constantFrom("Content-Length: 5", "Transfer-Encoding: chunked", "X: \xff"), body)
  .map(([code, text, line, content]) => `HTTP/1.1 ${code} ${text}\r\n${line}\r\n\r\n${content}`);
const valid = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello";
const mutated = fc
  .tuple(fc.integer({ min: 0, max: valid.length - 1 }), bytes(3), fc.nat({ max: 3 }))
  .map(([at, inserted, removed]) => valid.slice(0, at) + inserted + valid.slice(at + removed));
const cut = fc.integer({ min: 0, max: valid.length }).map((length) => valid.slice(0, length));
const interim = fc
  .tuple(fc.constantFrom("100", "101", "102", "103", "199"), fc.integer({ min: 1, max: 200 }), answer)
  .map(([code, times, rest]) => `HTTP/1.1 ${code} Wait\r\n\r\n`.repeat(times) + rest);
const hostileAnswer = fc.oneof(
  { weight: 4, arbitrary: answer },
  { weight: 4, arbitrary: nearlyValid },
  { weight: 2, arbitrary: mutated },
  cut,
  interim,
  bytes(200),
);
