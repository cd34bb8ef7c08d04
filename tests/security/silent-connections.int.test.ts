import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ServerProcess } from "../support/server-process.ts";

const crowd = 4300;

/** With as many descriptors as the machine gives, and with as few as an ordinary shell gives. */
describe.each([
  ["the machine's limits", []],
  ["1,024 descriptors", ["sh", "-c", 'ulimit -n 1024; exec "$@"', "sh"]],
])("a server with %s", (_name, under) => {
  let dataDir = "";
  let server: ServerProcess;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "atoll-silent-"));
    const env = { ATOLL_TOKEN: "a-token-that-nobody-here-knows" };
    server = await ServerProcess.start({ dataDir, env, under });
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  afterAll(async () => {
    await server?.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  /** Opens connections that send only these bytes, and leaves them open whatever the server does. */
  async function openCrowd(bytes: string): Promise<void> {
    const port = Number(new URL(server.url).port);
    for (let index = 0; index < crowd; index += 100) {
      const group = Array.from({ length: 100 }, () => {
        const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
        socket.on("error", () => {});
        if (bytes !== "") socket.write(bytes);
        sockets.push(socket);
        return Promise.race([once(socket, "connect"), once(socket, "close")]).catch(() => {});
      });
      await Promise.all(group);
    }
  }

  it.each([
    ["silent", ""],
    ["half a head", "GET / HTTP/1.1\r\nHost: local"],
    ["a whole request, and then nothing", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    [
      "a request for an upgrade, and then nothing",
      "GET /preview/d9d173ca69ae7f67f2cbd362/80/ HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    ],
  ])("while 4,300 connections come that send %s, others are answered", async (_name, bytes) => {
    await openCrowd(bytes);
    for (let index = 0; index < 20; index += 1) {
      const response = await fetch(`${server.url}/healthz`, {
        headers: { connection: "close" },
        signal: AbortSignal.timeout(20_000),
      });
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    }
  });
});
