import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it, onTestFinished } from "vitest";
import { describeOnDatabases } from "../../../../../tests/support/databases.ts";
import { openStore } from "../open.ts";
import { makeDataDir, openTemporaryStore } from "../temporary-store.harness.ts";
import { makeFolders } from "../data-folder/folders.ts";
import { sweepSharedUploads } from "./upload-sweep.ts";

const maxBytes = 100 * 1024 * 1024;

describeOnDatabases("an upload", (databaseOf) => {
  const open = (dataDir?: string) => openTemporaryStore(onTestFinished, dataDir, databaseOf);

  it("is kept in whole, with its size and hash", async () => {
    const { uploads } = await open();
    const content = randomBytes(5_000_001);
    const record = await uploads.receive("../a b.csv", chunksOf(content, 65_536), { maxBytes });
    expect(record).toMatchObject({
      name: "a b.csv",
      sizeBytes: content.byteLength,
      sha256: createHash("sha256").update(content).digest("hex"),
    });
    expect(record.fileId).toMatch(/^file_[0-9a-f]{32}$/);
    expect(await uploads.get(record.fileId)).toEqual(record);
    const path = uploads.hostPath(record.fileId);
    expect(readFileSync(path).equals(content)).toBe(true);
    // Whoever is shown the file in a sandbox can read it, not change it.
    expect(statSync(path).mode & 0o777).toBe(0o444);
  });

  it("for a temporary thread has a place of its own, and goes when nobody uses it any more", async () => {
    const [dataDir, temporaryDir] = [await makeDataDir(onTestFinished), await makeDataDir(onTestFinished)];
    const databaseUrl = await databaseOf?.(dataDir);
    const options = { dataDir, temporaryDir, databaseUrl };
    const first = await openStore(options);
    const receive = (isTemporary: boolean) =>
      first.uploads.receive("a.csv", chunksOf(Buffer.from("a"), 1), { maxBytes, isTemporary });
    const [used, stray, lasting] = [await receive(true), await receive(true), await receive(false)];
    expect(used.fileId).toMatch(/^temp_[0-9a-f]{32}$/);
    expect(first.uploads.hostPath(used.fileId)).toContain(temporaryDir);
    await first.threads.create({ id: "thread_a", fileIds: [used.fileId] });
    const ids = [used.fileId, lasting.fileId];
    await first.close();

    // A sweep at the start takes neither place for the other.
    const { uploads, threads, ownership, close } = await openStore(options);
    onTestFinished(() => close());
    expect(listFiles(temporaryDir)).toHaveLength(2);
    expect(listFiles(dataDir)).toEqual([lasting.fileId]);
    await uploads.removeStale(Date.now() - 3_600_000);
    expect(await uploads.get(stray.fileId)).toBeDefined();
    await uploads.removeStale(Date.now() + 1);
    expect([await uploads.get(stray.fileId), listFiles(temporaryDir)]).toEqual([undefined, [used.fileId]]);
    await uploads.removeIfUnused([used.fileId]);
    expect(await uploads.get(used.fileId)).toBeDefined();
    await ownership.takeOver("thread_a");
    await threads.remove("thread_a");
    await uploads.removeIfUnused(ids);
    // The end of the thread has begun to remove them too, and may be at it still.
    await expect.poll(() => [listFiles(temporaryDir), listFiles(dataDir)]).toEqual([[], []]);
  });

  it("that is too large leaves nothing", async () => {
    const dataDir = await makeDataDir(onTestFinished);
    const { uploads } = await open(dataDir);
    const content = chunksOf(Buffer.alloc(3_000_000), 65_536);
    const refused = uploads.receive("a.csv", content, { maxBytes: 2_000_000 });
    await expect(refused).rejects.toMatchObject({
      code: "too_large",
      message: expect.stringContaining("1 MB"),
    });
    expect(listFiles(dataDir)).toEqual([]);
    const exact = await uploads.receive("b.csv", chunksOf(Buffer.alloc(1000), 10), { maxBytes: 1000 });
    expect(exact.sizeBytes).toBe(1000);
  });

  it("whose sender goes away leaves nothing", async () => {
    const dataDir = await makeDataDir(onTestFinished);
    const { uploads } = await open(dataDir);
    async function* breaking() {
      yield Buffer.alloc(2_000_000);
      throw new Error("connection reset");
    }
    await expect(uploads.receive("a.csv", breaking(), { maxBytes })).rejects.toThrow("connection reset");
    expect(listFiles(dataDir)).toEqual([]);
  });

  it("that is given up while no data comes ends at once and leaves nothing", async () => {
    const dataDir = await makeDataDir(onTestFinished);
    const { uploads } = await open(dataDir);
    const leave = new AbortController();
    async function* stalled() {
      yield Buffer.alloc(10);
      setImmediate(() => leave.abort());
      await new Promise(() => {});
    }
    const received = uploads.receive("a.csv", stalled(), { maxBytes, signal: leave.signal });
    await expect(received).rejects.toMatchObject({ code: "aborted" });
    expect(listFiles(dataDir)).toEqual([]);
  });

  it("holds no more of itself in memory than a few blocks", async () => {
    const { uploads } = await open();
    const heldBytes: number[] = [];
    async function* content() {
      const beforeBytes = countBuffers();
      for (let block = 0; block < 512; block += 1) {
        yield Buffer.alloc(128 * 1024, block);
        if (block % 128 === 127) heldBytes.push(countBuffers() - beforeBytes);
      }
    }
    const { signal } = new AbortController();
    await uploads.receive("a.bin", content(), { maxBytes, signal });
    expect(heldBytes).toHaveLength(4);
    expect(heldBytes.at(-1)).toBeLessThan(16 * 1024 * 1024);
  });

  it("is found only by its id", async () => {
    const { uploads } = await open();
    for (const id of ["", "..", "../atoll.db", "file_00", ".incoming", "*"]) {
      expect(await uploads.get(id)).toBeUndefined();
      expect(() => uploads.hostPath(id)).toThrow(expect.objectContaining({ code: "not_found" }));
      expect(await uploads.remove(id)).toBe(false);
    }
  });

  it("that is removed stays with the threads that use it, and goes with the last of them", async () => {
    const dataDir = await makeDataDir(onTestFinished);
    const { uploads, threads } = await open(dataDir);
    const { fileId } = await uploads.receive("a.csv", chunksOf(Buffer.from("a,b"), 10), { maxBytes });
    await threads.create({ id: "thread_a", fileIds: [fileId, "file_unknown"] });
    expect(await uploads.remove(fileId)).toBe(true);
    expect(await uploads.get(fileId)).toBeUndefined();
    expect((await uploads.ofThread("thread_a")).map((file) => file.name)).toEqual(["a.csv"]);
    expect(readFileSync(uploads.hostPath(fileId), "utf8")).toBe("a,b");
    await threads.remove("thread_a");
    await expect.poll(() => listFiles(dataDir)).toEqual([]);
    expect(await uploads.remove(fileId)).toBe(false);
  });
});

describe("what a server left half-way", () => {
  const leave = (dataDir: string) => {
    writeFileSync(join(dataDir, "server/uploads/.incoming/file_part"), "part");
    writeFileSync(join(dataDir, "server/uploads/file_stray"), "stray");
  };

  it("is swept away at the next start of the only server", async () => {
    const dataDir = await makeDataDir(onTestFinished);
    await (await openStore({ dataDir })).close();
    leave(dataDir);
    await openTemporaryStore(onTestFinished, dataDir);
    expect(listFiles(dataDir)).toEqual([]);
  });

  it("stays as long as another server may be at work on it", async () => {
    const dataDir = await makeDataDir(onTestFinished);
    await (await openStore({ dataDir })).close();
    leave(dataDir);
    const uploads = join(dataDir, "server/uploads");
    writeFileSync(join(uploads, "file_known"), "known");
    const folders = makeFolders(dataDir);
    await sweepSharedUploads(folders, async () => new Set());
    expect(listFiles(dataDir).toSorted()).toEqual(["file_known", "file_part", "file_stray"]);
    const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
    for (const name of ["file_known", "file_stray", ".incoming/file_part"])
      utimesSync(join(uploads, name), twoDaysAgo, twoDaysAgo);
    await sweepSharedUploads(folders, async () => new Set(["file_known"]));
    expect(listFiles(dataDir)).toEqual(["file_known"]);
  });
});

async function* chunksOf(content: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.byteLength; at += size) yield content.subarray(at, at + size);
}

/** What is in use, after a collection of what is not. */
function countBuffers(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  // Buffers are let go in the background; the second collection waits for the first.
  collect();
  collect();
  return process.memoryUsage().arrayBuffers;
}

function listFiles(dataDir: string): string[] {
  const uploads = join(dataDir, "server/uploads");
  return [...readdirSync(uploads), ...readdirSync(join(uploads, ".incoming"))].filter(
    (name) => name !== ".incoming",
  );
}
