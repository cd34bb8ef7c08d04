import type { EmscriptenFS } from "./emscripten.ts";

/** One file below `/dev/atoll`: bytes in, bytes out. */
export interface Device {
  read?(target: Uint8Array): number;
  write?(bytes: Uint8Array): void;
}

const major = 200;

/** The other side of `atoll_guest/wasm/devices.py`. */
export function addDevices(fs: EmscriptenFS, devices: Readonly<Record<string, Device>>): void {
  fs.mkdirTree("/dev/atoll");
  for (const [minor, [name, { read, write }]] of Object.entries(devices).entries()) {
    const number = fs.makedev(major, minor);
    fs.registerDevice(number, {
      open() {},
      close() {},
      read: (_: unknown, memory: Int8Array, offset: number, length: number) =>
        read?.(bytesOf(memory, offset, length)) ?? 0,
      write(_: unknown, memory: Int8Array, offset: number, length: number) {
        write?.(bytesOf(memory, offset, length));
        return length;
      },
    });
    fs.mkdev(`/dev/atoll/${name}`, 0o600, number);
  }
}

/** Emscripten gives its whole memory and a place in it. */
function bytesOf(memory: Int8Array, offset: number, length: number): Uint8Array {
  return new Uint8Array(memory.buffer, memory.byteOffset + offset, length);
}
