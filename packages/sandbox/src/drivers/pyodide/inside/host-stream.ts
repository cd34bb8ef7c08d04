import { readSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { encodeFrame } from "../../../guest/wire/frames.ts";

const prefixBytes = 8;
const chunkBytes = 1 << 18;
const retryMs = 0.5;

/**
 * The stream of frames to and from the host, read and written without an event loop: Python never returns to one. The
 * bell is a second pipe on which the host puts a byte for each frame. Whoever has nothing to do waits there; but not
 * while a frame is on its way, which may be longer than what the stream holds.
 */
export class HostStream {
  readonly #descriptor: number;
  readonly #bell: number;
  readonly #chunks: Uint8Array[] = [];
  readonly #bells = new Uint8Array(4096);
  readonly #prefix = new Uint8Array(prefixBytes);
  #prefixRead = 0;
  #frameLeft = 0;
  #frames = 0;
  #rings = 0;
  readonly #nothing = new Int32Array(new SharedArrayBuffer(4));
  // Opening a socket on the descriptor is what makes its reads come back when there is nothing to read.
  readonly #socket: Socket;

  constructor(descriptor: number, bell: number) {
    this.#descriptor = descriptor;
    this.#bell = bell;
    this.#socket = new Socket({ fd: descriptor, readable: false, writable: false });
    this.#socket.unref();
  }

  /** Whether something has arrived. Ends this process when the host is gone. */
  poll(): boolean {
    while (true) {
      const chunk = new Uint8Array(chunkBytes);
      const size = this.#read(chunk);
      if (size === undefined) return this.#chunks.length > 0;
      if (size === 0) process.exit(0);
      this.#chunks.push(chunk.subarray(0, size));
      this.#countFrames(chunk.subarray(0, size));
      if (size < chunkBytes) return true;
    }
  }

  /** Until something has arrived. */
  wait(): void {
    while (!this.poll()) {
      if (this.#isFrameComing) this.waitFor(retryMs);
      else this.#rings += readSync(this.#bell, this.#bells) || process.exit(0);
    }
  }

  /** For at most this time. */
  waitFor(milliseconds: number): void {
    Atomics.wait(this.#nothing, 0, 0, milliseconds);
  }

  get hasInput(): boolean {
    return this.#chunks.length > 0;
  }

  /** What has arrived, as much of it as fits. */
  take(target: Uint8Array): number {
    let taken = 0;
    while (taken < target.length) {
      const [chunk] = this.#chunks;
      if (!chunk) break;
      const part = chunk.subarray(0, target.length - taken);
      target.set(part, taken);
      taken += part.length;
      if (part.length === chunk.length) this.#chunks.shift();
      else this.#chunks[0] = chunk.subarray(part.length);
    }
    return taken;
  }

  takeAll(): Uint8Array {
    return Buffer.concat(this.#chunks.splice(0));
  }

  putBack(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#chunks.unshift(bytes);
  }

  send(header: Record<string, unknown>, body?: Uint8Array): void {
    for (const part of encodeFrame(header, body)) this.write(part);
  }

  /** Waits where the host is slow to read. */
  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      try {
        at += writeSync(this.#descriptor, bytes, at);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "EPIPE") process.exit(0);
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
        this.waitFor(retryMs);
      }
    }
  }

  get #isFrameComing(): boolean {
    return this.#frameLeft > 0 || this.#prefixRead > 0 || this.#frames < this.#rings;
  }

  #countFrames(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      if (this.#frameLeft === 0) {
        const part = chunk.subarray(at, at + prefixBytes - this.#prefixRead);
        this.#prefix.set(part, this.#prefixRead);
        this.#prefixRead += part.length;
        at += part.length;
        if (this.#prefixRead < prefixBytes) return;
        const lengths = new DataView(this.#prefix.buffer);
        this.#frameLeft = lengths.getUint32(0) + lengths.getUint32(4);
        this.#prefixRead = 0;
      }
      const skipped = Math.min(this.#frameLeft, chunk.length - at);
      this.#frameLeft -= skipped;
      at += skipped;
      if (this.#frameLeft === 0) this.#frames++;
    }
  }

  #read(target: Uint8Array): number | undefined {
    try {
      return readSync(this.#descriptor, target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") return undefined;
      process.exit(0);
    }
  }
}
