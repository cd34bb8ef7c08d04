import * as fc from "fast-check";
import { HANG_MS, receive } from "./wire.ts";

/** What a socket may receive that is no request, or more than one. */
export const rawBytes: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc
    .constantFrom(
      "\r\n\r\n\r\n",
      "GET\r\n\r\n",
      "GET / HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.1\nHost: localhost\n\n",
      "GET  /  HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
      "GET / HTTP/1.1\r\n Host: localhost\r\n\r\n",
      "GET / HTTP/1.1\r\nHost : localhost\r\n\r\n",
      "GET http:// HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "GET //evil.example/threads HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "GET http://localhost:99999/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "POST /thread/new HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "POST /thread/new HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
      "POST /settings HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
      "POST /settings HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
      'POST /settings HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1;x="\r\n',
      `GET / HTTP/1.1\r\nHost: localhost\r\n${"X: y\r\n".repeat(2500)}\r\n`,
      `GET /${"a".repeat(70_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      "GET /threads HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
      "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
    )
    .map((text) => Buffer.from(text, "latin1")),
);

/** The statuses of the answers, in their order; a server may also just end the connection. */
export async function sendRaw(
  port: number,
  bytes: Uint8Array,
): Promise<{ statuses: number[]; text: string }> {
  const all = await receive(port, bytes, { isCut: true, deadlineMs: HANG_MS }, () => false);
  const text = all.toString("latin1");
  return { statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status)), text };
}

/** Requests one behind the other, before the first is answered. The last ends the connection. */
export async function pipeline(port: number, targets: readonly string[]): Promise<number[]> {
  const requests = targets.map((target, index) => {
    const close = index === targets.length - 1 ? "Connection: close\r\n" : "";
    return `${target} HTTP/1.1\r\nHost: localhost\r\n${close}\r\n`;
  });
  const all = await receive(
    port,
    Buffer.from(requests.join("")),
    { isCut: false, deadlineMs: HANG_MS },
    () => false,
  );
  return [...all.toString("latin1").matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
}
