import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { BlockList, Socket } from "node:net";
import { addressBucket, isTrusted, plainAddress } from "../security/client-address.ts";

export interface ConnectionSharesOptions {
  readonly maxConnections: number;
  /** Their connections are those of many clients: only the share of all bounds them. */
  readonly trustedProxies?: BlockList | undefined;
}

/**
 * Divides the connections of a server. Those that have not sent a valid head yet are a part of all, and of one address
 * a smaller part: the oldest of the address with the most makes room for a new one. When all connections are taken,
 * such a one goes, or else one between two requests, or one that does not read its answer. So honest clients get in.
 */
export class ConnectionShares {
  readonly #maxConnections: number;
  readonly #trustedProxies: BlockList | undefined;
  /** Without a valid head so far, the oldest first, by address. */
  readonly #silent = new Map<string, Set<Socket>>();
  /** Between two requests, or about to end; the longest first. */
  readonly #idle = new Set<Socket>();
  readonly #addresses = new Map<Socket, string>();
  #silentCount = 0;

  constructor({ maxConnections, trustedProxies }: ConnectionSharesOptions) {
    this.#maxConnections = maxConnections;
    this.#trustedProxies = trustedProxies;
  }

  watch(server: Server): void {
    server.on("connection", (socket) => this.#accept(socket));
  }

  /** A valid head came; without a response the connection is in use until it ends. */
  use({ socket }: IncomingMessage, response?: ServerResponse): void {
    this.#forgetSilent(socket);
    this.#idle.delete(socket);
    response?.once("close", () => this.#noteIdle(socket));
  }

  #accept(socket: Socket): void {
    const address = addressBucket(plainAddress(socket.remoteAddress ?? ""));
    const silent = this.#silent.get(address) ?? new Set();
    this.#addresses.set(socket, address);
    this.#silent.set(address, silent.add(socket));
    this.#silentCount += 1;
    socket.once("close", () => this.#forget(socket));
    // This side has said its last: it only waits for the client to end, too.
    socket.once("finish", () => this.#noteIdle(socket));
    const [oldest] = silent;
    if (silent.size > this.#maxConnections / 4 && !this.#isProxy(socket)) this.#end(oldest);
    else if (this.#silentCount > this.#maxConnections / 2) this.#end(this.#findSilent());
    else if (this.#addresses.size > this.#maxConnections)
      this.#end(this.#findSilent(1) ?? this.#idle.values().next().value ?? this.#findUnread() ?? socket);
  }

  #noteIdle(socket: Socket): void {
    if (!this.#addresses.has(socket)) return;
    this.#forgetSilent(socket);
    this.#idle.add(socket);
  }

  /** The oldest of the address that has the most, if they are more than `atLeast`. */
  #findSilent(atLeast = 0): Socket | undefined {
    let largest: Set<Socket> | undefined;
    for (const silent of this.#silent.values())
      if (silent.size > (largest?.size ?? atLeast)) largest = silent;
    return largest?.values().next().value;
  }

  /** Its client has something to read and does not read it. */
  #findUnread(): Socket | undefined {
    for (const socket of this.#addresses.keys()) if (socket.writableLength > 0) return socket;
    return undefined;
  }

  #end(socket: Socket | undefined): void {
    if (!socket) return;
    this.#forget(socket);
    socket.destroy();
  }

  #forget(socket: Socket): void {
    this.#forgetSilent(socket);
    this.#idle.delete(socket);
    this.#addresses.delete(socket);
  }

  #forgetSilent(socket: Socket): void {
    const address = this.#addresses.get(socket) ?? "";
    const silent = this.#silent.get(address);
    if (!silent?.delete(socket)) return;
    this.#silentCount -= 1;
    if (silent.size === 0) this.#silent.delete(address);
  }

  #isProxy({ remoteAddress = "" }: Socket): boolean {
    return this.#trustedProxies ? isTrusted(plainAddress(remoteAddress), this.#trustedProxies) : false;
  }
}
