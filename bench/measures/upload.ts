import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { json } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { type Measure, MEGABYTE } from "../measure.ts";
import { interleave, timeMs } from "../rounds.ts";
import { ask } from "../server/requests.ts";
import { withServer } from "../server/running-server.ts";

const SIZE_MB = 1024;
const chunk = randomBytes(MEGABYTE);
const boundary = "atoll-bench-boundary";

/** 1 GB as a browser sends it, until it is hashed, on the disk and answered for; and what the server grew meanwhile. */
export const upload: Measure = {
  name: "upload",
  figures: [
    {
      key: "upload_mb_per_s",
      label: `upload, ${SIZE_MB} MB`,
      unit: "MB/s",
      beside: ["upload_fs_mb_per_s"],
      goal: { atLeast: 300 },
    },
    { key: "upload_rss_growth_mb", label: "peak memory it added", unit: "MB", goal: { atMost: 100 } },
    { key: "upload_fs_mb_per_s", label: "the same bytes by node:fs, synced", unit: "MB/s" },
  ],
  async run(session) {
    return await withServer(session, {}, async (server) => {
      const growth: number[] = [];
      const plain = join(session.folder, "plain.bin");
      const found = await interleave(
        {
          async upload_mb_per_s() {
            const before = await readMemory(server.child.pid, "VmRSS");
            await resetPeak(server.child.pid);
            let fileId = "";
            const rate = await rateOf(async () => void (fileId = await send(server.url)));
            growth.push((await readMemory(server.child.pid, "VmHWM")) - before);
            await ask(`${server.url}/files/${fileId}`, { method: "DELETE" });
            return rate;
          },
          async upload_fs_mb_per_s() {
            const rate = await rateOf(() =>
              pipeline(
                Readable.from(chunks()),
                createWriteStream(plain, { highWaterMark: MEGABYTE, flush: true }),
              ),
            );
            await rm(plain);
            return rate;
          },
        },
        { rounds: session.rounds(5, 1), signal: session.signal, name: "upload" },
      );
      return { ...found, upload_rss_growth_mb: growth };
    });
  },
};

async function send(url: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const outgoing = request(
    `${url}/upload`,
    { method: "POST", headers: { "content-type": `multipart/form-data; boundary=${boundary}` } },
    (response) => {
      json(response).then((answer) => {
        const { files } = answer as { files?: { file_id: string; size_bytes: number }[] };
        const file = files?.[0];
        if (file?.size_bytes === SIZE_MB * MEGABYTE) resolve(file.file_id);
        else reject(new Error(`the upload was answered with ${JSON.stringify(answer)}`));
      }, reject);
    },
  ).once("error", reject);
  await pipeline(Readable.from(parts()), outgoing);
  return promise;
}

async function* parts(): AsyncGenerator<Uint8Array | string> {
  yield `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="big.bin"\r\n\r\n`;
  yield* chunks();
  yield `\r\n--${boundary}--\r\n`;
}

async function* chunks(): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < SIZE_MB; sent++) yield chunk;
}

async function rateOf(action: () => Promise<unknown>): Promise<number> {
  return (SIZE_MB / (await timeMs(action))) * 1000;
}

async function readMemory(pid: number | undefined, field: "VmRSS" | "VmHWM"): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) / 1024;
}

/** Resets the kernel's high-water mark. */
async function resetPeak(pid: number | undefined): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, "5");
}
