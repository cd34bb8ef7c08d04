import { setImmediate as nextTurn } from "node:timers/promises";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { message, openTemporaryStore, token } from "../testing/temporary-store.ts";

describe("threads", () => {
  it("are kept with their title, settings and files", async () => {
    const { threads } = await openTemporaryStore(onTestFinished);
    const created = threads.create({
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
    threads.addFiles("thread_a", ["file_1", "file_0"]);
    expect(threads.get("thread_a")?.fileIds).toEqual(["file_2", "file_1", "file_0"]);
    expect(threads.update("thread_a", { settings: {} })?.settings).toEqual({});
    expect(threads.get("nobody")).toBeUndefined();
    expect(threads.update("nobody", { title: "x" })).toBeUndefined();
    expect(() => threads.create({ id: "thread_a", fileIds: [] })).toThrow(/There is a thread with this id/);
    expect(threads.count()).toBe(1);
  });

  it("take a suggested title until the user gives one", async () => {
    const { threads } = await openTemporaryStore(onTestFinished);
    threads.create({ id: "thread_a", fileIds: [] });
    expect(threads.suggestTitle("thread_a", "First")).toBe(true);
    expect(threads.suggestTitle("thread_a", "Second")).toBe(true);
    threads.update("thread_a", { title: "Mine" });
    expect(threads.suggestTitle("thread_a", "Third")).toBe(false);
    expect(threads.get("thread_a")?.title).toBe("Mine");
  });

  it("count their messages, without those taken back", async () => {
    const { threads, log } = await openTemporaryStore(onTestFinished);
    threads.create({ id: "thread_a", fileIds: [] });
    await log.append("thread_a", [message("m1"), message("m2")]);
    await log.append("thread_a", [{ event: { type: "message_removed", message_id: "m2" } }]);
    expect(threads.get("thread_a")?.messageCount).toBe(1);
  });

  it("come latest use first, in pages that stay as they are while others are used", async () => {
    const { threads, log } = await openTemporaryStore(onTestFinished);
    const ids = Array.from({ length: 25 }, (_, n) => `thread_${String(n).padStart(2, "0")}`);
    for (const id of ids) threads.create({ id, fileIds: [] });
    const first = threads.list({ limit: 10 });
    await log.append("thread_24", [message("m1")]);
    threads.create({ id: "thread_new", fileIds: [] });
    const second = threads.list({ limit: 10, before: first.cursor ?? "" });
    const third = threads.list({ limit: 10, before: second.cursor ?? "" });
    const listed = [first, second, third].flatMap((page) => page.threads.map((thread) => thread.id));
    expect(listed).toEqual(ids.toReversed());
    expect(third.cursor).toBeUndefined();
    expect(() => threads.list({ limit: 10, before: "nonsense" })).toThrow(/cursor/);
  });

  it("go with their log, however long it is", async () => {
    const { threads, log } = await openTemporaryStore(onTestFinished);
    threads.create({ id: "thread_a", fileIds: [] });
    await log.append(
      "thread_a",
      Array.from({ length: 5000 }, () => token("x")),
    );
    threads.indexText("thread_a", "something to find");
    expect(threads.remove("thread_a")).toBe(true);
    expect(threads.remove("thread_a")).toBe(false);
    expect(threads.list({ limit: 10, query: "something" }).threads).toEqual([]);
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    threads.create({ id: "thread_a", fileIds: [] });
    expect(log.read("thread_a")).toEqual([]);
    expect(log.lastId("thread_a")).toBe(0);
  });
});

describe("the search", () => {
  it("finds parts of words in any script, in messages and titles", async () => {
    const { threads } = await openTemporaryStore(onTestFinished);
    threads.create({ id: "thread_de", title: "Umsätze", fileIds: [] });
    threads.create({ id: "thread_zh", fileIds: [] });
    threads.create({ id: "thread_en", fileIds: [] });
    threads.indexText("thread_zh", "请分析每个城市的销售数据");
    threads.indexText("thread_en", "Which categories grew?");
    threads.indexText("thread_en", "Groceries grew by 12% in Berlin, 100_000 in all");
    const find = (query: string) => threads.list({ limit: 10, query }).threads.map((thread) => thread.id);
    expect(find("销售数据")).toEqual(["thread_zh"]);
    expect(find("销售")).toEqual(["thread_zh"]);
    expect(find("城")).toEqual(["thread_zh"]);
    expect(find("CATEGOR berlin")).toEqual(["thread_en"]);
    expect(find("12%")).toEqual(["thread_en"]);
    expect(find("0_0")).toEqual(["thread_en"]);
    expect(find("%")).toEqual(["thread_en"]);
    expect(find("msätz")).toEqual(["thread_de"]);
    expect(find("categories 数据")).toEqual([]);
    expect(find("   ")).toHaveLength(3);
  });

  it("shows the place it found", async () => {
    const { threads } = await openTemporaryStore(onTestFinished);
    threads.create({ id: "thread_a", fileIds: [] });
    threads.indexText("thread_a", `${"before ".repeat(30)}the Needle${" after".repeat(30)}`);
    const [found] = threads.list({ limit: 1, query: "needle" }).threads;
    expect(found?.snippet).toMatch(/^….*the Needle after.*…$/);
    expect(found?.snippet?.length).toBeLessThan(140);
  });

  it("takes any text for a query", async () => {
    const { threads } = await openTemporaryStore(onTestFinished);
    threads.create({ id: "thread_a", fileIds: [] });
    threads.indexText("thread_a", 'say "hello" AND (NEAR*) col:x ^start -not');
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
      expect(threads.list({ limit: 5, query }).threads.length).toBeLessThanOrEqual(1);
    }
    expect(threads.list({ limit: 5, query: '"hello" (NEAR*)' }).threads).toHaveLength(1);
    fc.assert(
      fc.property(anyText, (query) => {
        threads.list({ limit: 5, query });
      }),
    );
  });

  it("finds every text by any part of it", async () => {
    const { threads } = await openTemporaryStore(onTestFinished);
    let n = 0;
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }), fc.nat(), (text, at) => {
        const characters = [...text.normalize("NFC")];
        const part = characters.slice(at % characters.length).join("");
        fc.pre(/^[^\s\0]+$/.test(part));
        const id = `thread_${n++}`;
        threads.create({ id, fileIds: [] });
        threads.indexText(id, text);
        expect(threads.list({ limit: 1000, query: part }).threads.map((thread) => thread.id)).toContain(id);
      }),
      { numRuns: 60 },
    );
  });
});

/** Halves of characters too, and the control characters more often than chance would bring them. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0, max: 0x7f })), { maxLength: 40 })
  .map((units) => String.fromCharCode(...units));
