import { setImmediate as nextTurn } from "node:timers/promises";
import * as fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { describeOnDatabases } from "../../../../../tests/support/databases.ts";
import { message, openTemporaryStore, token } from "../temporary-store.harness.ts";

describeOnDatabases("threads", (databaseOf) => {
  const open = (dataDir?: string) => openTemporaryStore(onTestFinished, dataDir, databaseOf);

  it("are kept with their title, settings and files", async () => {
    const { threads } = await open();
    const created = await threads.create({
      id: "thread_a",
      title: "Sales",
      settings: { model: "built-in", approvals: "on" },
      fileIds: ["file_2", "file_1", "file_2"],
    });
    expect(created).toMatchObject({
      id: "thread_a",
      title: "Sales",
      settings: { model: "built-in", approvals: "on" },
      fileIds: ["file_2", "file_1"],
      messageCount: 0,
    });
    await threads.addFiles("thread_a", ["file_1", "file_0"]);
    expect(threads.get("thread_a")?.fileIds).toEqual(["file_2", "file_1", "file_0"]);
    expect((await threads.update("thread_a", { settings: {} }))?.settings).toEqual({});
    expect(threads.get("nobody")).toBeUndefined();
    expect(await threads.update("nobody", { title: "x" })).toBeUndefined();
    await expect(threads.create({ id: "thread_a", fileIds: [] })).rejects.toThrow(
      /There is a thread with this id/,
    );
    expect([await threads.has("thread_a"), await threads.has("nobody")]).toEqual([true, false]);
    expect(await threads.count()).toBe(1);
  });

  it("are made once, also when several ask for it in the same instant", async () => {
    const { threads } = await open();
    const attempts = Array.from({ length: 4 }, () => threads.create({ id: "thread_a", fileIds: [] }));
    const settled = await Promise.allSettled(attempts);
    expect(settled.map(({ status }) => status).toSorted()).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
      "rejected",
    ]);
    for (const one of settled)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "already_exists" });
    expect(await threads.count()).toBe(1);
  });

  it("that are temporary are listed when asked for, and by their end", async () => {
    const { threads, log } = await open();
    const temporary = { expiresAtMs: 1_000_000, ttlMs: 600, maxBytes: 5000, sandboxBytes: 0 };
    await threads.create({ id: "lasting", fileIds: [] });
    const created = await threads.create({ id: "passing", fileIds: [], temporary });
    expect(created.temporary).toEqual(temporary);
    expect(threads.get("lasting")?.temporary).toBeUndefined();
    await log.append("passing", [message("m1", "needle")]);
    await threads.indexText("passing", "needle");
    const ids = async (options: object) =>
      (await threads.list({ limit: 9, ...options })).threads.map(({ id }) => id).toSorted();
    expect(await ids({})).toEqual(["lasting"]);
    expect(await ids({ query: "needle" })).toEqual([]);
    expect(await ids({ isTemporaryToo: true })).toEqual(["lasting", "passing"]);
    expect(await ids({ isTemporaryToo: true, query: "needle" })).toEqual(["passing"]);

    expect(await threads.listExpired(999_999)).toEqual([]);
    expect(await threads.listExpired(1_000_000)).toEqual(["passing"]);
    // Further off than its whole time: the clock was set back since.
    expect(await threads.listExpired(990_000)).toEqual(["passing"]);
    await threads.noteTemporary("passing", { expiresAtMs: 2_000_000 });
    await threads.noteTemporary("passing", { sandboxBytes: 77 });
    await threads.noteTemporary("lasting", { expiresAtMs: 1 });
    expect(await threads.listExpired(1_999_999)).toEqual([]);
    expect(threads.get("passing")?.temporary).toEqual({
      ...temporary,
      expiresAtMs: 2_000_000,
      sandboxBytes: 77,
    });
    expect(threads.get("lasting")?.temporary).toBeUndefined();
    await threads.remove("passing");
    expect(await threads.listExpired(9_000_000)).toEqual([]);
  });

  it("take a suggested title until the user gives one", async () => {
    const { threads } = await open();
    await threads.create({ id: "thread_a", fileIds: [] });
    expect(await threads.suggestTitle("thread_a", "First")).toBe(true);
    expect(await threads.suggestTitle("thread_a", "Second")).toBe(true);
    await threads.update("thread_a", { title: "Mine" });
    expect(await threads.suggestTitle("thread_a", "Third")).toBe(false);
    expect(threads.get("thread_a")?.title).toBe("Mine");
  });

  it("count their messages, without those taken back", async () => {
    const { threads, log } = await open();
    await threads.create({ id: "thread_a", fileIds: [] });
    await log.append("thread_a", [message("m1"), message("m2")]);
    await log.append("thread_a", [{ event: { type: "message_removed", message_id: "m2" } }]);
    expect(threads.get("thread_a")?.messageCount).toBe(1);
  });

  it("come latest use first, in pages that stay as they are while others are used", async () => {
    const { threads, log } = await open();
    const ids = Array.from({ length: 25 }, (_, n) => `thread_${String(n).padStart(2, "0")}`);
    for (const id of ids) await threads.create({ id, fileIds: [] });
    const first = await threads.list({ limit: 10 });
    await log.append("thread_24", [message("m1")]);
    await threads.create({ id: "thread_new", fileIds: [] });
    const second = await threads.list({ limit: 10, before: first.cursor ?? "" });
    const third = await threads.list({ limit: 10, before: second.cursor ?? "" });
    const listed = [first, second, third].flatMap((page) => page.threads.map((thread) => thread.id));
    expect(listed).toEqual(ids.toReversed());
    expect(third.cursor).toBeUndefined();
    await expect(threads.list({ limit: 10, before: "nonsense" })).rejects.toThrow(/cursor/);
  });

  it("go with their log, however long it is", async () => {
    const { threads, log } = await open();
    await threads.create({ id: "thread_a", fileIds: [] });
    await log.append(
      "thread_a",
      Array.from({ length: 5000 }, () => token("x")),
    );
    await threads.indexText("thread_a", "something to find");
    expect(await threads.remove("thread_a")).toBe(true);
    expect(await threads.remove("thread_a")).toBe(false);
    expect((await threads.list({ limit: 10, query: "something" })).threads).toEqual([]);
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    await threads.create({ id: "thread_a", fileIds: [] });
    expect(log.read("thread_a")).toEqual([]);
    expect(log.lastId("thread_a")).toBe(0);
  });
});

describeOnDatabases("the search", (databaseOf) => {
  const open = (dataDir?: string) => openTemporaryStore(onTestFinished, dataDir, databaseOf);

  it("finds parts of words in any script, in messages and titles", async () => {
    const { threads } = await open();
    await threads.create({ id: "thread_de", title: "Umsätze", fileIds: [] });
    await threads.create({ id: "thread_zh", fileIds: [] });
    await threads.create({ id: "thread_en", fileIds: [] });
    await threads.indexText("thread_zh", "请分析每个城市的销售数据");
    await threads.indexText("thread_en", "Which categories grew?");
    await threads.indexText("thread_en", "Groceries grew by 12% in Berlin, 100_000 in all");
    const find = async (query: string) =>
      (await threads.list({ limit: 10, query })).threads.map((thread) => thread.id);
    expect(await find("销售数据")).toEqual(["thread_zh"]);
    expect(await find("销售")).toEqual(["thread_zh"]);
    expect(await find("城")).toEqual(["thread_zh"]);
    expect(await find("CATEGOR berlin")).toEqual(["thread_en"]);
    expect(await find("12%")).toEqual(["thread_en"]);
    expect(await find("0_0")).toEqual(["thread_en"]);
    expect(await find("%")).toEqual(["thread_en"]);
    expect(await find("msätz")).toEqual(["thread_de"]);
    expect(await find("categories 数据")).toEqual([]);
    expect(await find("   ")).toHaveLength(3);
  });

  it("shows the place it found", async () => {
    const { threads } = await open();
    await threads.create({ id: "thread_a", fileIds: [] });
    await threads.indexText("thread_a", `${"before ".repeat(30)}the Needle${" after".repeat(30)}`);
    const [found] = (await threads.list({ limit: 1, query: "needle" })).threads;
    expect(found?.snippet).toMatch(/^….*the Needle after.*…$/);
    expect(found?.snippet?.length).toBeLessThan(140);
  });

  it("takes any text for a query", async () => {
    const { threads } = await open();
    await threads.create({ id: "thread_a", fileIds: [] });
    await threads.indexText("thread_a", 'say "hello" AND (NEAR*) col:x ^start -not');
    for (const query of [
      '"',
      '"""',
      '"hello"',
      "AND",
      "NEAR(",
      "col:x",
      "^start",
      "-not",
      "*",
      "\0\0\0",
      "x\0y",
    ]) {
      expect((await threads.list({ limit: 5, query })).threads.length).toBeLessThanOrEqual(1);
    }
    expect((await threads.list({ limit: 5, query: '"hello" (NEAR*)' })).threads).toHaveLength(1);
    await fc.assert(
      fc.asyncProperty(anyText, async (query) => {
        await threads.list({ limit: 5, query });
      }),
    );
  });

  it("finds every text by any part of it", async () => {
    const { threads } = await open();
    let n = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
        fc.nat(),
        async (text, at) => {
          const characters = [...text.normalize("NFC")];
          const part = characters.slice(at % characters.length).join("");
          fc.pre(/^[^\s\0]+$/.test(part));
          const id = `thread_${n++}`;
          await threads.create({ id, fileIds: [] });
          await threads.indexText(id, text);
          const found = await threads.list({ limit: 1000, query: part });
          expect(found.threads.map((thread) => thread.id)).toContain(id);
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** Halves of characters too, and the control characters more often than chance would bring them. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0, max: 0x7f })), { maxLength: 40 })
  .map((units) => String.fromCharCode(...units));
