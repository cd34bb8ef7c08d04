import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../open.ts";
import { makeDataDir, openTemporaryStore } from "../temporary-store.harness.ts";

const content = Buffer.from("0123456789");
const hash = createHash("sha256").update(content).digest("hex");

describe("blobs", () => {
  it("are kept once under the hash of their content, and read in whole or in part", async () => {
    const { blobs } = await openTemporaryStore(onTestFinished);
    expect(blobs.put("thread_a", content)).toBe(hash);
    expect(blobs.put("thread_a", content)).toBe(hash);
    expect(blobs.stat("thread_a", hash)).toEqual({ sizeBytes: 10 });
    expect(blobs.stat("thread_b", hash)).toBeUndefined();
    blobs.put("thread_a", Buffer.from("more"));
    expect([blobs.usedBytes("thread_a"), blobs.usedBytes("thread_b")]).toEqual([14, 0]);
    expect(await new Response(blobs.read("thread_a", hash)).text()).toBe("0123456789");
    expect(await new Response(blobs.read("thread_a", hash, { start: 2, end: 4 })).text()).toBe("234");
  });

  it("from a stream are refused past the limit or with another hash, and leave nothing", async () => {
    const dataDir = await makeDataDir(onTestFinished);
    const { blobs } = await openTemporaryStore(onTestFinished, dataDir);
    expect(await blobs.putStream("thread_a", streamOf(content), { maxBytes: 9 })).toBeUndefined();
    const other = "0".repeat(64);
    expect(
      await blobs.putStream("thread_a", streamOf(content), { maxBytes: 10, expectedHash: other }),
    ).toBeUndefined();
    const folder = join(dataDir, "server/threads/thread_a");
    expect(readdirSync(folder, { recursive: true }).toSorted()).toEqual(["blobs", "incoming"]);
    expect(await blobs.putStream("thread_a", streamOf(content), { maxBytes: 10, expectedHash: hash })).toBe(
      hash,
    );
    expect(readdirSync(join(folder, "incoming"))).toEqual([]);
  });

  it("make no path of an id that is none", async () => {
    const { blobs } = await openTemporaryStore(onTestFinished);
    for (const id of ["..", "../..", "", "a/b", "thread_a/../thread_b", ".".repeat(10)]) {
      expect(() => blobs.put(id, content)).toThrow(expect.objectContaining({ code: "invalid_argument" }));
      await expect(blobs.removeThread(id)).rejects.toMatchObject({ code: "invalid_argument" });
      expect(blobs.stat(id, hash)).toBeUndefined();
    }
    for (const bad of ["../../secret", "", hash.toUpperCase(), `${hash}/x`]) {
      expect(blobs.stat("thread_a", bad)).toBeUndefined();
      expect(() => blobs.read("thread_a", bad)).toThrow(expect.objectContaining({ code: "not_found" }));
    }
  });

  it("go with their thread, at the latest at the next start", async () => {
    const dataDir = await makeDataDir(onTestFinished);
    const store = await openStore({ dataDir });
    store.blobs.put("thread_a", content);
    await store.blobs.removeThread("thread_a");
    expect(store.blobs.stat("thread_a", hash)).toBeUndefined();
    await store.threads.create({ id: "thread_b", fileIds: [] });
    store.blobs.put("thread_b", content);
    await store.close();
    mkdirSync(join(dataDir, "server/threads/thread_gone/blobs"), { recursive: true });
    const next = await openTemporaryStore(onTestFinished, dataDir);
    expect(existsSync(join(dataDir, "server/threads/thread_gone"))).toBe(false);
    expect(next.blobs.stat("thread_b", hash)).toEqual({ sizeBytes: 10 });
  });
});

async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (const byte of bytes) yield Uint8Array.of(byte);
}
