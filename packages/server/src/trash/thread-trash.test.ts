import { expect, it, onTestFinished } from "vitest";
import { echo, makeHarness } from "../threads/threads.harness.ts";
import { ThreadTrash } from "./thread-trash.ts";

it("keeps all of a thread, hides it everywhere, and gives it back as it was", async () => {
  const { harness, trash, threadId, hash } = await makeTrash({ keepMs: 3_600_000 });
  const { store } = harness;
  const log = store.log.read(threadId);
  expect(await trash.put(threadId)).toBe(true);
  expect(await trash.put(threadId)).toBe(false);
  await trash.look();

  expect(store.threads.get(threadId)).toBeUndefined();
  expect([await store.threads.has(threadId), await store.threads.count()]).toEqual([false, 0]);
  expect((await store.threads.list({ limit: 9, query: "spring" })).threads).toEqual([]);
  expect(store.log.read(threadId)).toEqual([]);
  expect(store.log.unsettled()).toEqual([]);
  await expect(harness.runner.submit(threadId, { text: "x" })).rejects.toMatchObject({ code: "not_found" });
  expect(await trash.list()).toMatchObject([{ id: threadId, messageCount: 1 }]);

  expect(await trash.restore(threadId)).toBe(true);
  expect(await trash.restore(threadId)).toBe(false);
  expect(store.log.read(threadId)).toEqual(log);
  expect(store.blobs.stat(threadId, hash)).toBeDefined();
  expect(await trash.list()).toEqual([]);
  expect(harness.sandboxes.calls.filter((call) => call.startsWith("remove"))).toEqual([]);
});

it("purges what has been in it for long enough, by the clock that threads age by", async () => {
  const { harness, trash, threadId, hash } = await makeTrash({ keepMs: 1 });
  await trash.put(threadId);
  await expect
    .poll(async () => {
      await trash.look();
      return trash.list();
    })
    .toEqual([]);
  expect(harness.sandboxes.calls).toContain(`remove ${threadId}`);
  expect(harness.store.blobs.stat(threadId, hash)).toBeUndefined();
  expect(await trash.restore(threadId)).toBe(false);
});

it("can be passed by, or not be there at all", async () => {
  const first = await makeTrash({ keepMs: 3_600_000 });
  await first.trash.put(first.threadId, { isNow: true });
  const second = await makeTrash({ keepMs: 0 });
  await second.trash.put(second.threadId);
  for (const { harness, trash, threadId } of [first, second]) {
    expect(await trash.list()).toEqual([]);
    expect(harness.sandboxes.calls).toContain(`remove ${threadId}`);
  }
});

it("keeps blobs and uploads of its threads over a restart", async () => {
  const { harness, trash, threadId, hash } = await makeTrash({ keepMs: 3_600_000 });
  const file = await harness.store.uploads.receive("a.csv", bytes("a"), { maxBytes: 9 });
  await harness.store.threads.addFiles(threadId, [file.fileId]);
  await trash.put(threadId);
  await harness.store.uploads.remove(file.fileId);
  await harness.runner.close();
  await harness.store.close();
  const next = await makeHarness(onTestFinished, echo, { dataDir: harness.dataDir });
  expect(await next.runner.restore(threadId)).toBe(true);
  expect(next.store.blobs.stat(threadId, hash)).toBeDefined();
  expect(await next.store.uploads.ofThread(threadId)).toMatchObject([{ fileId: file.fileId }]);
});

async function makeTrash({ keepMs }: { keepMs: number }) {
  const harness = await makeHarness(onTestFinished, echo);
  const threadId = await harness.newThread();
  await harness.ask(threadId, "spending in spring");
  await harness.store.threads.indexText(threadId, "spending in spring");
  const hash = harness.store.blobs.put(threadId, Buffer.from("image"));
  const trash = new ThreadTrash({
    store: harness.store,
    runner: () => harness.runner,
    keepMs,
    onProblem: (_, error) => expect.unreachable(String(error)),
  });
  return { harness, trash, threadId, hash };
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
