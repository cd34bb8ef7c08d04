import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { FileStore } from "./file-store.ts";

const MiB = 1024 * 1024;

async function openStore(): Promise<FileStore> {
  const folder = await mkdtemp(join(tmpdir(), "atoll-file-store-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const store = new FileStore(folder, { bytes: 100 * MiB, entries: 1000 });
  await store.open();
  return store;
}

function write(store: FileStore, content: Uint8Array): void {
  store.apply(
    { changed: [["workspace", "a", "file", 0o644, content.length, 0, null]], removed: [] },
    content,
  );
}

describe("a store of files", () => {
  it.each([
    ["more bytes", 33, new Uint8Array(MiB)],
    ["more changes", 65, new Uint8Array(1)],
  ])("is congested while %s wait than should be in memory, and no longer", async (_, count, content) => {
    const store = await openStore();
    write(store, content);
    expect(store.isCongested).toBe(false);
    for (let at = 1; at < count; at += 1) write(store, content);
    expect(store.isCongested).toBe(true);
    await store.settled();
    expect(store.isCongested).toBe(false);
  });
});
