import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { PostgresServer, whyNoPostgres } from "../../../../../tests/support/postgres-server.ts";
import { describeIf } from "../../../../../tests/support/requirements.ts";
import type { Store } from "../contract.ts";
import { openStore } from "../open.ts";
import { makeDataDir, message, token } from "../temporary-store.harness.ts";

describeIf({ suite: "a Postgres that goes away", missing: whyNoPostgres(), isRequired: true }, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("and comes back in time is waited for: what is appended meanwhile is stored once", async () => {
    const { url, store } = await open(server, { waitMs: 60_000 });
    await store.threads.create({ id: "thread_a", fileIds: [] });
    const acknowledged: string[] = [];
    const over = new AbortController();
    const writing = (async () => {
      for (let n = 0; !over.signal.aborted; n += 1) acknowledged.push(await appendMessage(store, n));
    })();
    for (const end of [() => server.kill(), () => server.stop(), () => server.kill()]) {
      const before = acknowledged.length;
      await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 20);
      await end();
      await server.restart();
    }
    const before = acknowledged.length;
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 20);
    over.abort();
    await writing;
    await checkLog(url, store, acknowledged);
  });

  it("for too long refuses what is appended, says so, and keeps nothing of it", async () => {
    const { url, store } = await open(server, { waitMs: 300 });
    await store.threads.create({ id: "thread_a", fileIds: [] });
    const acknowledged = [await appendMessage(store, 0)];
    const seen: number[] = [];
    const leave = new AbortController();
    const following = (async () => {
      const lines = store.log.followLines("thread_a", { after: 0, signal: leave.signal });
      for await (const { id } of lines) seen.push(id);
    })();
    await server.kill();
    const unavailable = { code: "unavailable", isRetryable: true };
    const refused = await Promise.allSettled([
      appendMessage(store, 1),
      store.log.append("thread_a", [token("x")]),
      store.threads.list({ limit: 1 }),
      store.threads.update("thread_a", { title: "New" }),
      store.checkWritable(),
    ]);
    for (const outcome of refused) expect(outcome).toMatchObject({ status: "rejected", reason: unavailable });
    expect(JSON.stringify(refused)).not.toContain("atoll@");
    await server.restart();
    await expect
      .poll(() =>
        store.checkWritable().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    acknowledged.push(await appendMessage(store, 2));
    expect(acknowledged[1]).toMatch(/^2 /);
    await expect.poll(() => seen).toEqual([1, 2]);
    leave.abort();
    await following;
    await checkLog(url, store, acknowledged);
  });

  it("and does not answer is given up; what it stores afterwards all the same is taken back", async () => {
    const { url, store } = await open(server, { waitMs: 300 });
    for (const id of ["thread_a", "thread_b"]) await store.threads.create({ id, fileIds: [] });
    const acknowledged = [await appendMessage(store, 0)];
    server.freeze();
    onTestFinished(() => server.thaw());
    const refused = await Promise.allSettled([
      appendMessage(store, 1),
      store.log.append("thread_b", [message("b")]),
      store.checkWritable(),
    ]);
    for (const outcome of refused) expect(outcome).toMatchObject({ reason: { code: "unavailable" } });
    server.thaw();
    // The one that was sent before the freeze: nobody waits for it, and Postgres stores it.
    await expect.poll(() => server.query(url, "SELECT count(*) FROM events")).toBe("3");
    acknowledged.push(await appendMessage(store, 2));
    expect(acknowledged[1]).toMatch(/^2 /);
    await checkLog(url, store, acknowledged);
    await store.ownership.letGo("thread_b");
    await checkCount(store, "thread_b", 0);
  });

  it("in the midst of many appends to many threads loses and doubles none of them", async () => {
    const { url, store } = await open(server, { waitMs: 100 });
    const ids = Array.from({ length: 8 }, (_, n) => `thread_${n}`);
    await Promise.all(ids.map((id) => store.threads.create({ id, fileIds: [] })));
    const acknowledged = new Map<string, string[]>(ids.map((id) => [id, []]));
    const over = new AbortController();
    let count = 0;
    let refusals = 0;
    const writeTo = async (threadId: string) => {
      for (let n = 0; !over.signal.aborted; n += 1) {
        try {
          acknowledged.get(threadId)?.push(await appendMessage(store, n, threadId));
          count += 1;
        } catch (error) {
          expect(error).toMatchObject({ code: "unavailable" });
          refusals += 1;
        }
      }
    };
    const writing = Promise.all(ids.map(writeTo));
    for (let round = 0; round < 4; round += 1) {
      const before = count;
      await expect.poll(() => count).toBeGreaterThan(before + 50);
      const refusedBefore = refusals;
      await (round % 2 === 0 ? server.kill() : server.stop());
      await expect.poll(() => refusals).toBeGreaterThan(refusedBefore);
      await server.restart();
    }
    over.abort();
    await writing;
    for (const id of ids) await checkLog(url, store, acknowledged.get(id) ?? [], id);
  });

  it("refuses a server whose password or database is wrong, without showing the address", async () => {
    const url = await server.createDatabase();
    const wrong = url.replace(/\/[^/]*$/, "/nowhere").replace("atoll@", "atoll:hunter2@");
    const opening = openStore({
      dataDir: await makeDataDir(onTestFinished),
      databaseUrl: wrong,
      waitMs: 100,
    });
    const error = await opening.catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: "permission_denied", message: expect.stringContaining('"nowhere"') });
    expect(String(error)).not.toContain("hunter2");
  });
});

async function open(server: PostgresServer, { waitMs }: { waitMs: number }) {
  const url = await server.createDatabase();
  const store = await openStore({ dataDir: await makeDataDir(onTestFinished), databaseUrl: url, waitMs });
  onTestFinished(() => store.close());
  return { url, store };
}

async function appendMessage(store: Store, n: number, threadId = "thread_a"): Promise<string> {
  const appended = await store.log.append(threadId, [message(`m${n}`)], { isDurable: true });
  return `${appended[0]?.id} m${n}`;
}

/** What was acknowledged and nothing else is in this server's copy, and in what another one finds. */
async function checkLog(
  url: string,
  store: Store,
  acknowledged: readonly string[],
  threadId = "thread_a",
): Promise<void> {
  const other = await openStore({ dataDir: await makeDataDir(onTestFinished), databaseUrl: url });
  onTestFinished(() => other.close());
  // Whatever may be left of a batch that was refused goes before the thread does.
  await store.ownership.letGo(threadId);
  await checkCount(other, threadId, acknowledged.length);
  const events = other.log.read(threadId);
  expect(events.map((event) => `${event.id} ${event.type === "message" && event.message_id}`)).toEqual(
    acknowledged,
  );
  expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
}

async function checkCount(store: Store, threadId: string, messages: number): Promise<void> {
  await store.ownership.takeOver(threadId);
  expect(store.log.read(threadId)).toHaveLength(messages);
  expect(store.threads.get(threadId)?.messageCount).toBe(messages);
}
