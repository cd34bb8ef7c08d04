import type { Readable, Writable } from "node:stream";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import { boundLines } from "./bounded-lines.ts";

/** Of one message. */
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

/**
 * Serves one client over two streams. Resolves when the client has closed its end, or the signal aborts. A message that
 * is too long is answered with an error, and the session continues.
 */
export async function serveStdio(
  server: Server,
  {
    input = process.stdin,
    output = process.stdout,
    signal,
  }: { input?: Readable; output?: Writable; signal?: AbortSignal } = {},
): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  Object.assign(server, { onclose: resolve });
  const close = () => void server.close();
  input.once("end", close);
  input.once("close", close);
  // A client that reads no more is gone.
  output.once("error", close);
  signal?.addEventListener("abort", close, { once: true });
  const lines = boundLines(MAX_MESSAGE_BYTES, (id) => {
    const message = `The message is longer than ${MAX_MESSAGE_BYTES} bytes: write large content to a file in parts.`;
    const error = { code: ErrorCode.InvalidRequest, message };
    output.write(`${JSON.stringify({ jsonrpc: "2.0", id, error })}\n`);
  });
  input.pipe(lines);
  // A line of the longest kind comes in one piece, with its end.
  const options = { maxBufferSize: MAX_MESSAGE_BYTES + 1 };
  await server.connect(new StdioServerTransport(lines, output, options));
  if (signal?.aborted) close();
  await closed;
}
