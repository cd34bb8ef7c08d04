import { connect, createServer } from "node:net";

/**
 * Lets one process at a time do something under a name; the others wait for it. The lock is an abstract socket, which
 * the kernel frees when its holder ends, however it ends. Where there are none (not on Linux), everybody goes ahead.
 */
export async function withStartLock<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const address = `\0atoll-${process.getuid?.() ?? 0}-${name}`;
  let release = await tryLock(address);
  while (release === undefined) {
    await waitForHolder(address);
    release = await tryLock(address);
  }
  try {
    return await work();
  } finally {
    release();
  }
}

/** Undefined while another holds it. */
function tryLock(address: string): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    const waiting = new Set<{ destroy(): void }>();
    const server = createServer((socket) => {
      waiting.add(socket.on("error", () => {}).on("close", () => waiting.delete(socket)));
    });
    server.once("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code === "EADDRINUSE" ? undefined : () => {});
    });
    server.listen(address, () =>
      resolve(() => {
        server.close();
        for (const socket of waiting) socket.destroy();
      }),
    );
  });
}

function waitForHolder(address: string): Promise<void> {
  return new Promise((resolve) => {
    connect(address)
      .on("error", () => {})
      .on("close", () => resolve());
  });
}
