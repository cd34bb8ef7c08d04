import type { Server } from "node:http";
import type { Socket } from "node:net";

/** Ends connections whose client has not read anything for a while although there is something to read. */
export function dropStuckReaders(server: Server, idleMs: number): () => void {
  const sockets = new Map<Socket, { passedOn: number; since: number }>();
  server.on("connection", (socket) => {
    sockets.set(socket, { passedOn: 0, since: performance.now() });
    socket.once("close", () => sockets.delete(socket));
  });
  const timer = setInterval(
    () => {
      const now = performance.now();
      for (const [socket, seen] of sockets) {
        const passedOn = socket.bytesWritten - socket.writableLength;
        if (socket.writableLength === 0 || passedOn !== seen.passedOn)
          sockets.set(socket, { passedOn, since: now });
        else if (now - seen.since >= idleMs) socket.destroy();
      }
    },
    Math.max(10, idleMs / 4),
  ).unref();
  return () => clearInterval(timer);
}
