import type { Duplex } from "node:stream";
import type { ConnectOverCDPTransport } from "playwright-core";
import { ownFaults } from "./peer-faults.ts";

/** Of one message. What is larger ends the connection: nothing inside decides how much memory the host gives. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** More than that waits in the pipe. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

/** Chromium's debugging pipe: JSON texts, each with a NUL after it. */
export function createPipeTransport(pipe: Duplex): ConnectOverCDPTransport {
  const transport: ConnectOverCDPTransport = {
    send: (message) => void pipe.write(`${JSON.stringify(message)}\0`),
    close: () => void pipe.end(),
  };
  const faults = ownFaults((error) => pipe.destroy(error));
  const deliver = deliverInTurn(pipe, (message) => faults.run(() => transport.onmessage?.(message)));
  let parts: Buffer[] = [];
  let size = 0;
  const take = (part: Buffer) => {
    size += part.length;
    if (size > MAX_MESSAGE_BYTES) throw new Error(`a message of more than ${MAX_MESSAGE_BYTES} bytes`);
    if (part.length > 0) parts.push(part);
  };
  pipe.on("data", (chunk: Buffer) =>
    guard(pipe, () => {
      let from = 0;
      for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, from)) {
        take(chunk.subarray(from, at));
        deliver(Buffer.concat(parts));
        [parts, size] = [[], 0];
        from = at + 1;
      }
      take(chunk.subarray(from));
    }),
  );
  pipe.on("error", () => {});
  pipe.once("end", () => pipe.end());
  pipe.once("close", () => {
    faults.release();
    guard(pipe, () => transport.onclose?.("the browser has ended"));
  });
  return transport;
}

/** Each in a turn of the event loop of its own: playwright counts on what follows from one being done before the next. */
function deliverInTurn(pipe: Duplex, onMessage: (message: object) => void): (bytes: Buffer) => void {
  const waiting: Buffer[] = [];
  let waitingBytes = 0;
  const deliverNext = () => {
    const bytes = waiting.shift();
    if (bytes === undefined) return;
    waitingBytes -= bytes.length;
    if (waiting.length > 0) setImmediate(deliverNext);
    if (pipe.isPaused() && waitingBytes <= MAX_WAITING_BYTES) pipe.resume();
    guard(pipe, () => onMessage(JSON.parse(bytes.toString("utf8")) as object));
  };
  return (bytes) => {
    waiting.push(bytes);
    waitingBytes += bytes.length;
    if (waitingBytes > MAX_WAITING_BYTES) pipe.pause();
    if (waiting.length === 1) setImmediate(deliverNext);
  };
}

/** What runs inside is not trusted to keep to the protocol. */
function guard(pipe: Duplex, work: () => void): void {
  try {
    work();
  } catch (error) {
    pipe.destroy(error instanceof Error ? error : undefined);
  }
}
