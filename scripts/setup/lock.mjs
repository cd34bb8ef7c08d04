import { createHash } from "node:crypto";
import { unlinkSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/**
 * Runs the work while no other process on this machine holds the same lock. The lock is a bound
 * socket: binding is atomic, and the kernel lets go of it however the holder ends, so it is never stale.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @param {(waitedSeconds: number) => void} [onWait]  Called when it has to wait, and now and then while it does.
 * @returns {Promise<T>}
 */
export async function withLock(name, work, onWait) {
  const address = lockAddress(name);
  let server = await bind(address);
  if (!server) {
    const stopTelling = tellNowAndThen(onWait);
    while (!server) {
      await waitForHolder(address);
      server = await bind(address);
    }
    stopTelling();
  }
  try {
    return await work();
  } finally {
    server.close();
    for (const socket of waiting.get(server) ?? []) socket.destroy();
  }
}

/** @param {((waitedSeconds: number) => void) | undefined} onWait */
function tellNowAndThen(onWait) {
  let waitedSeconds = 0;
  onWait?.(waitedSeconds);
  const timer = setInterval(() => onWait?.((waitedSeconds += 10)), 10_000);
  return () => clearInterval(timer);
}

/** @type {WeakMap<import("node:net").Server, Set<import("node:net").Socket>>} */
const waiting = new WeakMap();

/** @param {string} name */
function lockAddress(name) {
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 24);
  const socketName = `atoll-setup-${userInfo().uid}-${digest}`;
  return process.platform === "linux" ? `\0${socketName}` : join(tmpdir(), `${socketName}.sock`);
}

/** @param {string} address @returns {Promise<import("node:net").Server | undefined>} */
function bind(address) {
  return new Promise((resolve, reject) => {
    /** @type {Set<import("node:net").Socket>} */
    const sockets = new Set();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    });
    waiting.set(server, sockets);
    server.on("error", (/** @type {NodeJS.ErrnoException} */ error) =>
      error.code === "EADDRINUSE" ? resolve(undefined) : reject(error),
    );
    server.listen(address, () => resolve(server));
  });
}

/** Resolves when the holder closes or dies. @param {string} address @returns {Promise<void>} */
function waitForHolder(address) {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.on("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      // A socket file that outlived its process (outside Linux) refuses; only such a file is removed.
      if (error.code === "ECONNREFUSED" && !address.startsWith("\0")) unlinkSync(address);
    });
    socket.on("close", () => setTimeout(resolve, 20));
    socket.resume();
  });
}
