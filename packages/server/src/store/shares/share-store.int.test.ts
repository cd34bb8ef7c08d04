import { expect, it, onTestFinished } from "vitest";
import { describeOnDatabases } from "../../../../../tests/support/databases.ts";
import { makeDataDir, openTemporaryStore } from "../temporary-store.harness.ts";
import type { ShareRecord } from "./contract.ts";

const share = (shareId: string, change: Partial<ShareRecord> = {}): ShareRecord => ({
  shareId,
  threadId: "thread_a",
  snapshot: "s1",
  hashes: ["h1", "h2"],
  createdAt: "2026-01-01T00:00:00.000Z",
  sharedAt: "2026-01-02T00:00:00.000Z",
  ...change,
});

describeOnDatabases("shares", (databaseOf) => {
  it("are kept, moved on, listed and taken back", async () => {
    const dataDir = await makeDataDir(onTestFinished);
    const { threads, shares } = await openTemporaryStore(onTestFinished, dataDir, databaseOf);
    await threads.create({ id: "thread_a", fileIds: [] });
    await shares.put(share("first"));
    await shares.put(share("second", { createdAt: "2026-02-01T00:00:00.000Z" }));
    const moved = { snapshot: "s2", hashes: [], sharedAt: "2026-03-01T00:00:00.000Z" };
    await shares.put(share("first", moved));
    expect(await shares.get("first")).toEqual(share("first", moved));
    expect((await shares.ofThread("thread_a")).map(({ shareId }) => shareId)).toEqual(["first", "second"]);
    expect([await shares.get("third"), await shares.ofThread("nobody")]).toEqual([undefined, []]);
    expect(await shares.remove("nobody", "first")).toBe(false);
    expect(await shares.remove("thread_a", "first")).toBe(true);
    expect(await shares.remove("thread_a", "first")).toBe(false);
    expect(await shares.get("first")).toBeUndefined();
  });

  it("go with their thread, and there is none without", async () => {
    const { threads, shares } = await openTemporaryStore(onTestFinished, undefined, databaseOf);
    await threads.create({ id: "thread_a", fileIds: [] });
    await shares.put(share("first"));
    await threads.remove("thread_a");
    expect(await shares.get("first")).toBeUndefined();
    await expect(shares.put(share("first"))).rejects.toMatchObject({ code: "not_found" });
  });
});
