import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * A loopback port without a listener, and that stays free while its server is down: it is below those
 * that systems give to connections and to programs that ask for any port.
 */
export async function findFreePort(): Promise<number> {
  while (true) {
    const port = randomInt(15_000, 32_000);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}
