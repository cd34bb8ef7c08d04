import type { Server } from "node:http";
import type { Socket } from "node:net";

const lingerMs = 2000;

/**
 * Closes connections so that the last answer arrives. Node closes one at once, also while its client still sends; the
 * system then answers with a reset, which takes with it what the client has not read yet. Here the sending side ends
 * first, and what still comes is dropped until the client ends too, or has had time enough.
 */
export function closeLingering(server: Server): void {
  server.on("connection", (socket: Socket) => {
    const destroySoon = () => {
      socket.end();
      const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
      socket.once("end", () => socket.destroy());
      socket.once("close", () => clearTimeout(timer));
      socket.resume();
    };
    // What Node's server calls when an answer is the last of its connection.
    Object.assign(socket, { destroySoon });
  });
}
