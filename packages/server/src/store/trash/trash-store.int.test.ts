import { expect, it, onTestFinished } from "vitest";
import { describeOnDatabases } from "../../../../../tests/support/databases.ts";
import { message, openTemporaryStore } from "../temporary-store.harness.ts";

describeOnDatabases("a thread in the trash", (databaseOf) => {
  it("is known to nobody else, its link leads nowhere, and it comes back with all of it", async () => {
    const store = await openTemporaryStore(onTestFinished, undefined, databaseOf);
    const { threads, trash, shares, log, ownership } = store;
    await threads.create({ id: "thread_a", title: "Spring", fileIds: [] });
    const [stored] = await log.append("thread_a", [message("m1")], { isDurable: true });
    const at = "2026-01-01T00:00:00.000Z";
    const share = { threadId: "thread_a", snapshot: "s", hashes: [], createdAt: at, sharedAt: at };
    await shares.put({ shareId: "link", ...share });

    expect(await trash.put("thread_a")).toBe(true);
    expect([threads.get("thread_a"), await threads.has("thread_a")]).toEqual([undefined, false]);
    expect([await threads.count(), (await threads.list({ limit: 9 })).threads]).toEqual([0, []]);
    expect([await ownership.takeOver("thread_a"), log.read("thread_a")]).toEqual([false, []]);
    expect([await shares.get("link"), log.unsettled()]).toEqual([undefined, []]);
    await expect(log.append("thread_a", [message("m2")])).rejects.toMatchObject({ code: "not_found" });
    const [listed] = await trash.list();
    expect(listed).toMatchObject({ id: "thread_a", title: "Spring", messageCount: 1 });
    expect(listed?.inTrashMs).toBeGreaterThanOrEqual(0);

    expect([await trash.restore("thread_a"), await trash.restore("thread_a")]).toEqual([true, false]);
    expect(await ownership.takeOver("thread_a")).toBe(true);
    expect(log.read("thread_a")).toEqual([stored]);
    expect(await shares.get("link")).toBeDefined();
    expect(await trash.list()).toEqual([]);
  });

  it("is purged from there only, for good", async () => {
    const { threads, trash } = await openTemporaryStore(onTestFinished, undefined, databaseOf);
    await threads.create({ id: "thread_a", fileIds: [] });
    expect([await trash.purge("thread_a"), await trash.put("nobody")]).toEqual([false, false]);
    await trash.put("thread_a");
    expect([await trash.has("thread_a"), await trash.purge("thread_a")]).toEqual([true, true]);
    expect([await trash.has("thread_a"), await trash.restore("thread_a")]).toEqual([false, false]);
    await threads.create({ id: "thread_a", fileIds: [] });
  });

  it("counts its time, and that of threads unused, by the clock that threads age by", async () => {
    const { threads, trash, ages, log } = await openTemporaryStore(onTestFinished, undefined, databaseOf);
    await threads.create({ id: "thread_a", fileIds: [] });
    await threads.create({ id: "thread_b", fileIds: [] });
    await trash.put("thread_b");
    await expect
      .poll(async () => {
        await ages.advance();
        return [(await threads.unusedMs("thread_a")) ?? 0, (await trash.list())[0]?.inTrashMs ?? 0];
      })
      .toEqual([expect.toSatisfy(isPositive), expect.toSatisfy(isPositive)]);
    await log.append("thread_a", [message("m1")], { isDurable: true });
    expect(await threads.unusedMs("thread_a")).toBe(0);
  });
});

function isPositive(value: number): boolean {
  return value > 0;
}
