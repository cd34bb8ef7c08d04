import { randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { MEGABYTE, type Measure } from "../measure.ts";
import { interleave, timeMs } from "../rounds.ts";

const SIZE_MB = 256;
const chunk = randomBytes(MEGABYTE);

/** A large file through the sandbox, beside the same bytes through Node's own streams to the same disk. Neither side syncs. */
export const files: Measure = {
  name: "files",
  figures: [
    {
      key: "write_mb_per_s",
      label: `files.write, ${SIZE_MB} MB`,
      unit: "MB/s",
      beside: ["fs_write_mb_per_s"],
    },
    {
      key: "read_mb_per_s",
      label: `files.readStream, ${SIZE_MB} MB`,
      unit: "MB/s",
      beside: ["fs_read_mb_per_s"],
    },
    { key: "fs_write_mb_per_s", label: "node:fs write", unit: "MB/s" },
    { key: "fs_read_mb_per_s", label: "node:fs read", unit: "MB/s" },
  ],
  async run(session) {
    const sandbox = await session.create();
    const plain = join(session.folder, "plain.bin");
    const samplers = {
      write_mb_per_s: () => rate(() => sandbox.files.write("large.bin", chunks())),
      fs_write_mb_per_s: () =>
        rate(() => pipeline(Readable.from(chunks()), createWriteStream(plain, { highWaterMark: MEGABYTE }))),
      async read_mb_per_s() {
        const sample = await rate(() => drain(sandbox.files.readStream("large.bin")));
        await sandbox.files.remove("large.bin");
        return sample;
      },
      async fs_read_mb_per_s() {
        const sample = await rate(() => drain(createReadStream(plain, { highWaterMark: MEGABYTE })));
        await rm(plain);
        return sample;
      },
    };
    const found = await interleave(samplers, {
      rounds: session.rounds(50, 2),
      signal: session.signal,
      name: "files",
    });
    await session.destroy(sandbox);
    return found;
  },
};

async function rate(action: () => Promise<unknown>): Promise<number> {
  return (SIZE_MB / (await timeMs(action))) * 1000;
}

async function* chunks(): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < SIZE_MB; sent++) yield chunk;
}

async function drain(stream: AsyncIterable<Uint8Array>): Promise<void> {
  let received = 0;
  for await (const part of stream) received += part.length;
  if (received !== SIZE_MB * MEGABYTE)
    throw new Error(`${received} bytes came back of ${SIZE_MB * MEGABYTE}`);
}
