import { Duplex } from "node:stream";

/**
 * The same stream for an HTTP server. From a socket of the system it would read past Node's streams, and past what they
 * have read already.
 */
export function asPlainStream(source: Duplex): Duplex {
  const plain = new Duplex({
    allowHalfOpen: true,
    read: () => void source.resume(),
    write: (chunk: Buffer, _encoding, done) => void source.write(chunk, done),
    final: (done) => void source.end(done),
    destroy(error, done) {
      source.destroy();
      done(error);
    },
  });
  source.on("data", (chunk: Buffer) => {
    if (!plain.push(chunk)) source.pause();
  });
  source.once("end", () => plain.push(null));
  source.on("error", (error) => plain.destroy(error));
  source.once("close", () => plain.destroy());
  return plain;
}
