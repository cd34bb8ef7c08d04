import type { Readable, Writable } from "node:stream";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

/** Serves one client over two streams. Resolves when the client has closed its end, or the signal aborts. */
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
  await server.connect(new StdioServerTransport(input, output));
  if (signal?.aborted) close();
  await closed;
}
