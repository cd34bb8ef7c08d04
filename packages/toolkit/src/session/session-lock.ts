import { createHash } from "node:crypto";
import { createServer } from "node:net";

/**
 * Takes a name for this process, or for one place in it; undefined while another has it. The lock is an abstract socket,
 * which the kernel frees when its holder ends, however it ends. Where there are none (not on Linux), everybody gets it.
 */
export function takeLock(...name: readonly string[]): Promise<(() => Promise<void>) | undefined> {
  const digest = createHash("sha256").update(JSON.stringify(name)).digest("hex").slice(0, 40);
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve) => {
    server.on("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code === "EADDRINUSE" ? undefined : async () => {});
    });
    server.listen(`\0atoll-${process.getuid?.() ?? 0}-session-${digest}`, () => {
      // The lock alone must not keep the process alive.
      server.unref();
      resolve(() => new Promise((released) => server.close(() => released())));
    });
  });
}
