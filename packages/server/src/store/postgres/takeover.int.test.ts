import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { PostgresServer, whyNoPostgres } from "../../../../../tests/support/postgres-server.ts";
import { describeIf } from "../../../../../tests/support/requirements.ts";
import type { Store } from "../contract.ts";
import { openStore } from "../open.ts";
import { makeDataDir, message, token } from "../temporary-store.harness.ts";

describeIf({ suite: "two servers on one Postgres", missing: whyNoPostgres(), isRequired: true }, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("see the same threads, and one brings a log of the other here", async () => {
    const { first, second } = await openTwo(server);
    const { fileId } = await first.uploads.receive("a.csv", content("a,b"), { maxBytes: 100 });
    await first.threads.create({ id: "thread_a", settings: { approvals: "on" }, fileIds: [fileId] });
    await first.threads.suggestTitle("thread_a", "Sales");
    await first.log.append("thread_a", [message("m1"), token("x"), token("数据\0")]);
    expect(second.threads.get("thread_a")).toBeUndefined();
    expect(second.ownership.holds("thread_a")).toBe(false);
    expect((await second.threads.list({ limit: 5 })).threads).toEqual([first.threads.get("thread_a")]);

    expect(await second.ownership.takeOver("thread_a")).toBe(true);
    expect(second.threads.get("thread_a")).toEqual(first.threads.get("thread_a"));
    expect(second.log.read("thread_a")).toEqual(first.log.read("thread_a"));
    expect(second.log.unsettled()).toEqual(["thread_a"]);
    expect((await second.uploads.ofThread("thread_a")).map(({ name }) => name)).toEqual(["a.csv"]);
    const [next] = await second.log.append("thread_a", [token("y")]);
    expect(next?.id).toBe(4);
    expect(await second.threads.suggestTitle("thread_a", "Sales again")).toBe(true);
  });

  it("keep the first from writing what the second has taken over", async () => {
    const { first, second, lost } = await openTwo(server);
    for (const id of ["thread_a", "thread_b"]) await first.threads.create({ id, fileIds: [] });
    await first.log.append("thread_a", [token("1")]);
    const { signal } = new AbortController();
    const seen = collect(first, "thread_a", signal);
    await second.ownership.takeOver("thread_a");
    const [refused, alsoRefused, stored] = await Promise.allSettled([
      first.log.append("thread_a", [message("m1")], { isDurable: true }),
      first.log.append("thread_a", [token("2")]),
      first.log.append("thread_b", [token("mine")]),
    ]);
    for (const outcome of [refused, alsoRefused])
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "not_owner", isRetryable: true } });
    expect(stored.status).toBe("fulfilled");
    expect(lost).toEqual(["thread_a"]);
    expect(await seen).toEqual(["1"]);
    expect([first.ownership.holds("thread_a"), first.threads.get("thread_a")]).toEqual([false, undefined]);
    await expect(first.log.append("thread_a", [token("3")])).rejects.toMatchObject({ code: "not_owner" });
    expect(second.threads.get("thread_a")?.messageCount).toBe(0);
    const [next] = await second.log.append("thread_a", [token("2")]);
    expect(next?.id).toBe(2);
  });

  it("tell the first what it has lost when it asks, before it writes anything", async () => {
    const { first, second, lost } = await openTwo(server);
    for (const id of ["thread_a", "thread_b"]) await first.threads.create({ id, fileIds: [] });
    await first.ownership.verify();
    expect(lost).toEqual([]);
    await second.ownership.takeOver("thread_a");
    expect(first.ownership.holds("thread_a")).toBe(true);
    await first.ownership.verify();
    expect(lost).toEqual(["thread_a"]);
    expect(["thread_a", "thread_b"].map((id) => first.ownership.holds(id))).toEqual([false, true]);
  });

  it("keep the first from changing or removing it too", async () => {
    const { first, second, lost } = await openTwo(server);
    const attempts = [
      (id: string) => first.threads.update(id, { title: "No" }),
      (id: string) => first.threads.suggestTitle(id, "No"),
      (id: string) => first.threads.addFiles(id, ["file_x"]),
      (id: string) => first.threads.remove(id),
      (id: string) => first.log.settle(id),
      (id: string) => first.log.skipIds(id, 10),
    ];
    for (const [index, attempt] of attempts.entries()) {
      const id = `thread_${index}`;
      await first.threads.create({ id, title: "Mine", fileIds: [] });
      await second.ownership.takeOver(id);
      const before = second.threads.get(id);
      await expect(attempt(id), `attempt ${index}`).rejects.toMatchObject({ code: "not_owner" });
      expect(lost).toContain(id);
      await second.ownership.letGo(id);
      expect(await second.ownership.takeOver(id)).toBe(true);
      expect(second.threads.get(id)).toEqual(before);
    }
  });

  it("give a thread back and forth, with nothing lost and no id given twice", async () => {
    const { url, first, second } = await openTwo(server);
    await first.threads.create({ id: "thread_a", fileIds: [] });
    const acknowledged: string[] = [];
    const write = async (store: Store, name: string) => {
      for (let n = 0; n < 40; n += 1) {
        if (n % 8 === 0) await store.ownership.takeOver("thread_a");
        const text = `${name} ${n}`;
        const [one] = await Promise.allSettled([
          store.log.append("thread_a", [token(text)]),
          store.log.append("thread_a", [message(text)]),
        ]);
        if (one.status === "fulfilled") acknowledged.push(`${one.value[0]?.id} ${text}`);
        else expect(one.reason).toMatchObject({ code: "not_owner" });
      }
    };
    await Promise.all([write(first, "first"), write(second, "second")]);
    expect(acknowledged.length).toBeGreaterThan(10);
    const third = await open(server, url);
    await third.ownership.takeOver("thread_a");
    const events = third.log.read("thread_a");
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
    const stored = events.map((event) => `${event.id} ${event.type === "token" ? event.text : ""}`);
    expect(acknowledged.filter((line) => !stored.includes(line))).toEqual([]);
    const messages = events.filter(({ type }) => type === "message");
    expect(third.threads.get("thread_a")?.messageCount).toBe(messages.length);
  });

  it("tell which threads a dead one has left open", async () => {
    const { first, second } = await openTwo(server);
    for (const id of ["thread_a", "thread_b", "thread_c"]) await first.threads.create({ id, fileIds: [] });
    await first.log.append("thread_a", [message("m1")]);
    await first.log.append("thread_b", [message("m2")]);
    await first.log.append("thread_c", [message("m3")]);
    await first.log.settle("thread_b");
    await second.ownership.takeOver("thread_c");
    expect(await second.ownership.unsettledOf("first")).toEqual(["thread_a"]);
    expect(await second.ownership.unsettledOf("second")).toEqual(["thread_c"]);
    expect(await second.ownership.unsettledOwners()).toEqual(["first", "second"]);
  });

  it("ask only whether it is still so for a thread that is owned already", async () => {
    const { first, second } = await openTwo(server);
    await first.threads.create({ id: "thread_a", fileIds: [] });
    const appending = first.log.append("thread_a", [token("x")]);
    expect(await first.ownership.takeOver("thread_a")).toBe(true);
    expect(await appending).toHaveLength(1);
    expect(await first.ownership.takeOver("thread_nobody")).toBe(false);
    await second.ownership.takeOver("thread_a");
    expect(await first.ownership.takeOver("thread_a")).toBe(true);
    await expect(second.log.append("thread_a", [token("y")])).rejects.toMatchObject({ code: "not_owner" });
    await first.threads.remove("thread_a");
    expect(await second.ownership.takeOver("thread_a")).toBe(false);
    await expect(second.log.append("thread_a", [token("z")])).rejects.toMatchObject({ code: "not_found" });
  });

  it("refuse what Postgres does not take, and store the others of the same turn", async () => {
    const { first, lost } = await openTwo(server);
    for (const id of ["thread_a", "thread_b"]) await first.threads.create({ id, fileIds: [] });
    const [refused, stored] = await Promise.allSettled([
      first.log.append("thread_a", [token("x", "run_\0")]),
      first.log.append("thread_b", [token("y")]),
    ]);
    expect(refused).toMatchObject({ status: "rejected", reason: { code: "internal" } });
    expect(stored).toMatchObject({ status: "fulfilled", value: [{ id: 1 }] });
    expect((await first.log.append("thread_a", [token("z")]))[0]?.id).toBe(1);
    expect(lost).toEqual([]);
  });

  it("bring a long log over in whole", async () => {
    const { first, second } = await openTwo(server);
    await first.threads.create({ id: "thread_a", fileIds: [] });
    const events = Array.from({ length: 2600 }, (_, n) => token(`${n}`));
    await first.log.append("thread_a", events);
    await second.ownership.takeOver("thread_a");
    expect(second.log.read("thread_a")).toHaveLength(2600);
    expect(second.log.lastId("thread_a")).toBe(2600);
    await second.log.skipIds("thread_a", 1000);
    await first.ownership.takeOver("thread_a");
    expect((await first.log.append("thread_a", [token("next")]))[0]?.id).toBe(3601);
  });
});

async function openTwo(server: PostgresServer) {
  const url = await server.createDatabase();
  const lost: string[] = [];
  const first = await open(server, url, { serverId: "first", onLost: (threadId) => lost.push(threadId) });
  const second = await open(server, url, { serverId: "second" });
  return { url, first, second, lost };
}

async function open(
  _server: PostgresServer,
  databaseUrl: string,
  options: { serverId?: string; onLost?(threadId: string): void } = {},
): Promise<Store> {
  const store = await openStore({ dataDir: await makeDataDir(onTestFinished), databaseUrl, ...options });
  onTestFinished(() => store.close());
  return store;
}

async function collect(store: Store, threadId: string, signal: AbortSignal): Promise<string[]> {
  const texts: string[] = [];
  for await (const event of store.log.follow(threadId, { after: 0, signal }))
    if (event.type === "token") texts.push(event.text);
  return texts;
}

async function* content(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
