import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Store } from "../contract.ts";
import { openStore } from "../open.ts";
import { makeDataDir, message, token } from "../temporary-store.harness.ts";

const pageBytes = 4096;

describe("a damaged atoll.db", () => {
  it.each([
    ["is garbage", (bytes: Buffer) => bytes.fill("garbage ")],
    ["has lost its first page", (bytes: Buffer) => bytes.fill(0, 0, pageBytes)],
    ["is cut off", (bytes: Buffer) => bytes.subarray(0, 3 * pageBytes + 100)],
  ])("that %s keeps the server from starting, with words and no stack", async (_, change) => {
    const dataDir = await fill();
    damage(dataDir, change);
    const failure = await openStore({ dataDir }).then(
      async (store) => {
        await expect.poll(() => store.damages.list(), { timeout: 20_000 }).not.toEqual([]);
        await store.close();
        return { code: "damaged", message: "atoll doctor --repair" };
      },
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({
      code: "damaged",
      message: expect.stringContaining("atoll doctor --repair"),
    });
  });

  it("with zeroed pages is noticed, each read that meets them says so, and others are answered", async () => {
    const dataDir = await fill();
    damage(dataDir, (bytes) => {
      // The last pages hold the events of the last thread.
      return bytes.fill(0, bytes.length - 12 * pageBytes);
    });
    const store = await open(dataDir);
    await expect
      .poll(() => store.damages.list(), { timeout: 20_000 })
      .toMatchObject([
        { what: "database", isContained: false, message: expect.stringContaining("atoll doctor --repair") },
      ]);
    const codes = ["thread_0", "thread_1", "thread_2"].map((id) => {
      try {
        return store.log.read(id).length > 0 ? "read" : "empty";
      } catch (error) {
        return (error as { code: string }).code;
      }
    });
    expect(codes).toContain("read");
    expect(codes).toContain("damaged");
  });

  it.each([
    ["breaks its JSON", '"text":"word 7 of thread_1', 6, "{"],
    ["leaves valid JSON", '"text":"word 7 of thread_1', 8, "W"],
  ])("with a flipped byte in an event that %s names that event", async (_, text, offset, byte) => {
    const dataDir = await fill();
    damage(dataDir, (bytes) => {
      bytes.write(byte, bytes.indexOf(text) + offset);
      return bytes;
    });
    const store = await open(dataDir);
    expect(() => store.log.read("thread_1")).toThrow(/Event 8 .* is damaged/);
    expect(store.log.read("thread_0").length).toBeGreaterThan(0);
    expect(store.damages.list()).toMatchObject([{ what: "thread thread_1", isContained: true }]);
  });
});

describe("files that are damaged on disk", () => {
  it("an upload is not given to anybody, and named", async () => {
    const dataDir = await makeDataDir(onTestFinished);
    const before = await openStore({ dataDir });
    const file = await before.uploads.receive("sales.csv", bytes("item,sales\napple,1\n"), { maxBytes: 99 });
    await expect(before.uploads.verify(file)).resolves.toBeUndefined();
    await before.close();
    const store = await open(dataDir);
    flip(store.uploads.hostPath(file.fileId));
    await expect(store.uploads.verify(file)).rejects.toMatchObject({
      code: "damaged",
      message: expect.stringContaining('"sales.csv"'),
    });
    expect(store.damages.list()).toMatchObject([{ isContained: true }]);
  });

  it("a blob breaks off before its first byte, and is whole again when it is stored again", async () => {
    const dataDir = await makeDataDir(onTestFinished);
    const before = await openStore({ dataDir });
    const content = Buffer.alloc(300_000, "pixels ");
    const hash = before.blobs.put("thread_a", content);
    await before.threads.create({ id: "thread_a", fileIds: [] });
    await before.close();
    const store = await open(dataDir);
    flip(join(dataDir, "server/threads/thread_a/blobs", hash));
    for (const range of [undefined, { start: 0, end: 9 }])
      await expect(store.blobs.read("thread_a", hash, range).getReader().read()).rejects.toMatchObject({
        code: "damaged",
      });
    expect(store.blobs.put("thread_a", content)).toBe(hash);
    expect(Buffer.concat(await Array.fromAsync(store.blobs.read("thread_a", hash)))).toEqual(content);
  });
});

describe("a write-ahead log that is lost", () => {
  it("is noticed, told until it is put away, and nothing is swept for it", async () => {
    const dataDir = await makeDataDir(onTestFinished);
    const server = join(dataDir, "server");
    const before = await openStore({ dataDir });
    await before.threads.create({ id: "thread_a", fileIds: [] });
    await before.log.append("thread_a", [message("m1")], { isDurable: true });
    const hash = before.blobs.put("thread_a", Buffer.from("image"));
    const file = await before.uploads.receive("a.csv", bytes("a"), { maxBytes: 9 });
    // As after a kill, without its log.
    const killed = await makeDataDir(onTestFinished);
    cpSync(server, join(killed, "server"), { recursive: true });
    await before.close();
    rmSync(join(killed, "server/atoll.db-wal"));
    rmSync(join(killed, "server/atoll.db-shm"), { force: true });

    for (const _ of ["the first start", "the next"]) {
      const store = await openStore({ dataDir: killed });
      expect(store.isWhole).toBe(false);
      expect(store.damages.list()).toMatchObject([
        { what: "acknowledged", isContained: true, message: expect.stringMatching(/last 3 acknowledged/) },
      ]);
      expect(existsSync(store.uploads.hostPath(file.fileId))).toBe(true);
      expect(store.blobs.stat("thread_a", hash)).toBeDefined();
      await store.threads.create({ id: `thread_${_.length}`, fileIds: [] });
      await store.close();
    }
  });

  it("is not missed after an orderly end, nor after a kill", async () => {
    const dataDir = await makeDataDir(onTestFinished);
    for (let start = 0; start < 3; start += 1) {
      const store = await openStore({ dataDir });
      expect([store.isWhole, store.damages.list()]).toEqual([true, []]);
      await store.threads.create({ id: `thread_${start}`, fileIds: [] });
      const killed = await makeDataDir(onTestFinished);
      cpSync(join(dataDir, "server"), join(killed, "server"), { recursive: true });
      const next = await openStore({ dataDir: killed });
      expect(next.isWhole).toBe(true);
      await next.close();
      await store.close();
    }
  });
});

async function fill(): Promise<string> {
  const dataDir = await makeDataDir(onTestFinished);
  const store = await openStore({ dataDir });
  for (const id of ["thread_0", "thread_1", "thread_2"]) {
    await store.threads.create({ id, fileIds: [] });
    await store.log.append(id, [message("m1")], { isDurable: true });
    const words = Array.from({ length: 300 }, (_, at) => token(`word ${at + 1} of ${id} ${"x".repeat(300)}`));
    await store.log.append(id, words);
  }
  await store.close();
  return dataDir;
}

async function open(dataDir: string): Promise<Store> {
  const store = await openStore({ dataDir });
  onTestFinished(() => store.close());
  return store;
}

function damage(dataDir: string, change: (bytes: Buffer) => Buffer): void {
  const path = join(dataDir, "server/atoll.db");
  writeFileSync(path, change(readFileSync(path)));
}

function flip(path: string): void {
  const content = readFileSync(path);
  content[content.length >> 1] = (content[content.length >> 1] ?? 0) ^ 0x20;
  rmSync(path, { force: true });
  writeFileSync(path, content);
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
