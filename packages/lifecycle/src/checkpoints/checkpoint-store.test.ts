import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CheckpointStore, choosePruned } from "./checkpoint-store.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "atoll-checkpoints-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const none = { count: 0, bytes: 0, notKept: 0 };
const entry = (path: string, hash: string) =>
  ({
    root: "workspace",
    path,
    kind: "file",
    mode: 0o644,
    sizeBytes: 1,
    modifiedUs: 0,
    signature: "",
    hash,
  }) as const;

/** A checkpoint with one file of this content. */
async function add(store: CheckpointStore, turnId: string, content: string) {
  const hash = await store.objects.put(Buffer.from(content));
  const manifest = await store.putManifest({ fingerprint: turnId, entries: [entry("f", hash)], notKept: [] });
  return store.add({
    turnId,
    takenAt: "2030-01-01T00:00:00Z",
    manifest,
    files: none,
    variables: [],
    isExact: true,
  });
}

describe("checkpoint store", () => {
  it("stores the same content once, and another server finds it", async () => {
    const store = new CheckpointStore(folder);
    await add(store, "one", "same");
    const usedBytes = await store.objects.usedBytes();
    await store.objects.put(Buffer.from("same"));
    expect(await store.objects.usedBytes()).toBe(usedBytes);
    const again = new CheckpointStore(folder);
    expect((await again.latest())?.turnId).toBe("one");
    expect(await again.objects.usedBytes()).toBe(usedBytes);
    expect((await add(again, "two", "other")).number).toBe(2);
  });

  it("keeps file names that are not UTF-8", async () => {
    const store = new CheckpointStore(folder);
    const hash = await store.putManifest({ fingerprint: "", entries: [entry("a\udcff", "0")], notKept: [] });
    expect((await store.readManifest(hash))?.entries[0]?.path).toBe("a\udcff");
  });

  it("does not return content that was damaged on disk", async () => {
    const store = new CheckpointStore(folder);
    const hash = await store.objects.put(Buffer.from("sound"));
    expect((await store.objects.read(hash))?.toString()).toBe("sound");
    writeFileSync(join(folder, "objects", hash), "rotten");
    expect(await store.objects.read(hash)).toBeUndefined();
    expect(await store.objects.openStream(hash)).toBeUndefined();
    await expect(store.objects.read("../../etc/passwd")).rejects.toThrow();
  });

  it("stores a stream up to its limit, and leaves nothing behind if it fails or is too long", async () => {
    const store = new CheckpointStore(folder);
    const chunks = async function* (count: number, isBroken = false) {
      for (let n = 0; n < count; n++) yield new Uint8Array(10);
      if (isBroken) throw new Error("the source broke");
    };
    expect(await store.objects.putStream(chunks(3), 20)).toBeUndefined();
    await expect(store.objects.putStream(chunks(1, true), 20)).rejects.toThrow("broke");
    expect(readdirSync(join(folder, "objects"))).toEqual([]);
    expect(await store.objects.putStream(chunks(2), 20)).toHaveLength(64);
    expect(await store.objects.usedBytes()).toBe(20);
  });

  it("pruning removes content that only old checkpoints use, and keeps shared content", async () => {
    const store = new CheckpointStore(folder);
    for (let turn = 0; turn < 20; turn++) await add(store, `turn-${turn}`, `${turn}`.padEnd(1000));
    const shared = await add(store, "shared", "0".padEnd(1000));
    await store.prune(10_000);
    expect(await store.objects.usedBytes()).toBeLessThanOrEqual(10_000);
    const kept = await store.list();
    expect(kept.at(-1)).toEqual(shared);
    for (const { manifest } of kept) {
      const hash = (await store.readManifest(manifest))?.entries[0]?.hash ?? "";
      expect(await store.objects.has(hash)).toBe(true);
    }
    await store.prune(1);
    expect((await store.list()).map(({ turnId }) => turnId)).toEqual(["shared"]);
    expect(readdirSync(join(folder, "objects"))).toHaveLength(2);
  });

  it("skips a record that a power cut has damaged", async () => {
    const store = new CheckpointStore(folder);
    for (const turnId of ["one", "two", "three"]) await add(store, turnId, turnId);
    writeFileSync(join(folder, "checkpoints/2.json"), "");
    const next = new CheckpointStore(folder);
    expect((await next.list()).map(({ turnId }) => turnId)).toEqual(["one", "three"]);
    expect((await add(next, "four", "four")).number).toBe(4);
  });

  it("sees the checkpoints that another server adds, and does not overwrite them", async () => {
    const [one, other] = [new CheckpointStore(folder), new CheckpointStore(folder)];
    await add(one, "first", "1");
    await add(other, "second", "2");
    expect((await add(one, "third", "3")).number).toBe(3);
    expect((await other.list()).map(({ turnId }) => turnId)).toEqual(["first", "second", "third"]);
  });

  it("a copy for another thread takes no disk space and outlives the original", async () => {
    const store = new CheckpointStore(join(folder, "source"));
    const first = await add(store, "one", "content of one");
    await add(store, "two", "content of two");
    const copy = new CheckpointStore(join(folder, "copy"));
    await store.copyTo(copy, first);
    const { ino, nlink } = statSync(join(folder, "copy/objects", first.manifest));
    expect([ino, nlink]).toEqual([statSync(join(folder, "source/objects", first.manifest)).ino, 2]);
    rmSync(join(folder, "source"), { recursive: true });
    expect((await copy.list()).map(({ turnId }) => turnId)).toEqual(["one"]);
    const manifest = await copy.readManifest(first.manifest);
    expect((await copy.objects.read(manifest?.entries[0]?.hash ?? ""))?.toString()).toBe("content of one");
  });

  it("removes the partial files of a server that died", async () => {
    await add(new CheckpointStore(folder), "one", "1");
    writeFileSync(join(folder, "objects/.left.partial"), "half");
    await add(new CheckpointStore(folder), "two", "2");
    expect(readdirSync(join(folder, "objects")).filter((name) => name.endsWith(".partial"))).toEqual([]);
  });
});

describe("choosePruned", () => {
  it("never chooses the newest", () => {
    expect(choosePruned([])).toBeUndefined();
    expect(choosePruned([7])).toBeUndefined();
    expect(choosePruned([3, 7])).toBe(3);
  });

  it("leaves checkpoints exponentially sparser with age", () => {
    let kept: number[] = [];
    for (let number = 1; number <= 1000; number++) {
      kept.push(number);
      while (kept.length > 12) {
        const pruned = choosePruned(kept);
        kept = kept.filter((other) => other !== pruned);
      }
    }
    expect(kept.at(-1)).toBe(1000);
    expect(kept[0]).toBe(1);
    const ages = kept.map((number) => 1000 - number).toReversed();
    expect(ages[1]).toBeLessThanOrEqual(3);
    // From one to the next the age grows by a factor, not by a fixed step.
    for (let at = 2; at < ages.length; at++)
      expect((ages[at] ?? 0) + 1).toBeLessThanOrEqual(((ages[at - 1] ?? 0) + 1) * 4);
    expect((ages.at(-1) ?? 0) - (ages.at(-2) ?? 0)).toBeGreaterThan(100);
  });
});
