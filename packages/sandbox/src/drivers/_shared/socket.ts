import { open } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { basename, dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const maxAddressBytes = 100;
const firstPauseMs = 5;
const longestPauseMs = 200;
/** Long enough for a queue of connections to empty; a listener that takes none in this time hangs. */
const patienceMs = 10_000;

/**
 * Connects to a Unix socket whatever its path's length; the kernel takes only 107 bytes of it. A listener whose queue is
 * full or about to close, and a lack of descriptors, are tried again: they do not tell whether a process listens there.
 */
export async function connectTo(path: string, { patienceMs: givenMs = patienceMs } = {}): Promise<Socket> {
  const deadlineMs = performance.now() + givenMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await connectOnce(path);
    } catch (error) {
      if (!isPassing(error) || performance.now() + pauseMs > deadlineMs) throw error;
    }
    await wait(pauseMs * (0.5 + Math.random()));
  }
}

/** Whether no process listens there: the only failures of a connect that say so. */
export function isNobodyThere(error: unknown): boolean {
  return hasCode(error, ["ENOENT", "ECONNREFUSED", "ENOTDIR"]);
}

/** Whether one listens there that takes no connection. */
export function isQueueFull(error: unknown): boolean {
  return hasCode(error, ["EAGAIN"]);
}

function isPassing(error: unknown): boolean {
  return hasCode(error, ["EAGAIN", "ECONNRESET", "EMFILE", "ENFILE", "ENOBUFS", "ENOMEM"]);
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

async function connectOnce(path: string): Promise<Socket> {
  if (Buffer.byteLength(path) <= maxAddressBytes) return dial(path);
  const folder = await open(dirname(path), "r");
  try {
    return await dial(`/proc/self/fd/${folder.fd}/${basename(path)}`);
  } finally {
    await folder.close();
  }
}

function dial(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => resolve(socket));
    // It stays: an error before the caller listens would else end the process.
    socket.on("error", reject);
  });
}
