import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { PostgresServer, whyNoPostgres } from "../../../../../tests/support/postgres-server.ts";
import { describeIf } from "../../../../../tests/support/requirements.ts";
import { loadToken } from "../data-folder/access-token.ts";
import type { Store } from "../contract.ts";
import { openStore } from "../open.ts";
import { makeDataDir, message } from "../temporary-store.harness.ts";
import { migrations } from "./migrations.ts";

describeIf(
  { suite: "servers that share a folder and a Postgres", missing: whyNoPostgres(), isRequired: true },
  () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await PostgresServer.start();
    });
    afterAll(() => server[Symbol.asyncDispose]());

    it("start for the first time at once, and have one secret and one set of tables", async () => {
      const dataDir = await makeDataDir(onTestFinished);
      const databaseUrl = await server.createDatabase();
      const others = [1, 2, 3].map(() => startProcess(dataDir, databaseUrl));
      const stores = await Promise.all([1, 2, 3].map(() => open(dataDir, databaseUrl)));
      await Promise.all(others);
      const [secret, ...copies] = stores.map((store) => Buffer.from(store.secret).toString("hex"));
      expect(copies).toEqual([secret, secret]);
      expect(await server.query(databaseUrl, "SELECT version FROM atoll_schema")).toBe(
        String(migrations.length),
      );
      await Promise.all(stores.map((store) => store.checkWritable()));
      await Promise.all(stores.map((store, n) => store.threads.create({ id: `thread_${n}`, fileIds: [] })));
      expect(await stores[0]?.threads.count()).toBe(3);
      expect(readdirSync(join(dataDir, "server")).filter((name) => /\.new$|lock|\.db/.test(name))).toEqual(
        [],
      );
    });

    it("have one access token, whoever makes it", async () => {
      const dataDir = await makeDataDir(onTestFinished);
      const tokens = [1, 2, 3].map(() => loadToken({ dataDir, isLoopback: false }));
      expect(new Set(tokens.map(({ token }) => token)).size).toBe(1);
      expect(tokens.map(({ isNew }) => isNew)).toEqual([true, false, false]);
    });

    it("of which one is older than the database's tables do not start, and leave them as they are", async () => {
      const databaseUrl = await server.createDatabase();
      await (await open(await makeDataDir(onTestFinished), databaseUrl)).close();
      await server.query(databaseUrl, "UPDATE atoll_schema SET version = 99");
      await expect(open(await makeDataDir(onTestFinished), databaseUrl)).rejects.toMatchObject({
        code: "not_supported",
        message: expect.stringMatching(/newer Atoll \(version 99, .*DATABASE_URL/),
      });
      expect(await server.query(databaseUrl, "SELECT version FROM atoll_schema")).toBe("99");
    });

    it("do not mix with a server that has a database of its own in the folder, and the other way round", async () => {
      const databaseUrl = await server.createDatabase();
      const shared = await makeDataDir(onTestFinished);
      const store = await open(shared, databaseUrl);
      const { fileId } = await store.uploads.receive("a.txt", one("x"), { maxBytes: 100 });
      await expect(openStore({ dataDir: shared })).rejects.toThrow(
        /belongs to servers that share a Postgres/,
      );
      expect(existsSync(store.uploads.hostPath(fileId))).toBe(true);
      const own = await makeDataDir(onTestFinished);
      await (await openStore({ dataDir: own })).close();
      await expect(open(own, databaseUrl)).rejects.toThrow(/of a server without DATABASE_URL/);
      await (await openStore({ dataDir: own })).close();
    });

    it("see each other's settings, and lose none of changes made at once", async () => {
      const dataDir = await makeDataDir(onTestFinished);
      const databaseUrl = await server.createDatabase();
      const [first, second] = [await open(dataDir, databaseUrl), await open(dataDir, databaseUrl)];
      expect(second.settings.get()).toEqual({ keys: {} });
      await first.settings.update({ model: "built-in" });
      expect(second.settings.get()).toEqual({ model: "built-in", keys: {} });
      for (let round = 0; round < 5; round += 1) {
        const key = `sk-0123456789abc-${round}`;
        await Promise.all([
          first.settings.update({ keys: { openai: key } }),
          second.settings.update({ keys: { google: key } }),
          first.settings.update({ keys: { anthropic: key } }),
        ]);
        for (const { settings } of [first, second])
          expect(settings.get().keys).toEqual({ openai: key, google: key, anthropic: key });
      }
      expect(second.settings.describe().keys.openai).toEqual({ lastFour: "bc-4" });
    });

    it("remove no file and no folder that another one uses", async () => {
      const dataDir = await makeDataDir(onTestFinished);
      const databaseUrl = await server.createDatabase();
      const first = await open(dataDir, databaseUrl);
      await first.threads.create({ id: "thread_a", fileIds: [] });
      const hash = first.blobs.put("thread_a", Buffer.from("kept"));
      const gate = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      async function* slow() {
        yield Buffer.from("first half, ");
        begun.resolve();
        await gate.promise;
        yield Buffer.from("second half");
      }
      const receiving = first.uploads.receive("a.txt", slow(), { maxBytes: 100 });
      await begun.promise;
      const gone = join(dataDir, "server/threads/thread_gone");
      mkdirSync(join(gone, "blobs"), { recursive: true });
      const second = await open(dataDir, databaseUrl);
      await expect.poll(() => existsSync(gone)).toBe(false);
      gate.resolve();
      const { fileId } = await receiving;
      // Closing waits for the sweep.
      await second.close();
      expect(first.blobs.stat("thread_a", hash)).toEqual({ sizeBytes: 4 });
      expect(await first.uploads.get(fileId)).toMatchObject({ sizeBytes: 23 });
      expect(existsSync(first.uploads.hostPath(fileId))).toBe(true);
    });

    it("keep a file that one removes and another gives to a thread", async () => {
      const dataDir = await makeDataDir(onTestFinished);
      const databaseUrl = await server.createDatabase();
      const [first, second] = [await open(dataDir, databaseUrl), await open(dataDir, databaseUrl)];
      for (let round = 0; round < 20; round += 1) {
        const { fileId } = await first.uploads.receive("a.txt", one("x"), { maxBytes: 100 });
        const id = `thread_${round}`;
        await Promise.all([first.uploads.remove(fileId), second.threads.create({ id, fileIds: [fileId] })]);
        const [file] = await first.uploads.ofThread(id);
        expect(existsSync(first.uploads.hostPath(fileId))).toBe(file !== undefined);
      }
    });

    it("find a text that one has indexed from the other", async () => {
      const dataDir = await makeDataDir(onTestFinished);
      const databaseUrl = await server.createDatabase();
      const [first, second] = [await open(dataDir, databaseUrl), await open(dataDir, databaseUrl)];
      await first.threads.create({ id: "thread_a", fileIds: [] });
      await first.log.append("thread_a", [message("m1")]);
      await first.threads.indexText("thread_a", "请分析每个城市的销售数据 STRASSE Ärger");
      for (const query of ["销售数据", "市", "strasse ärger"]) {
        const { threads } = await second.threads.list({ limit: 5, query });
        expect(threads.map(({ id, messageCount }) => [id, messageCount])).toEqual([["thread_a", 1]]);
      }
    });
  },
);

async function open(dataDir: string, databaseUrl: string): Promise<Store> {
  const store = await openStore({ dataDir, databaseUrl });
  onTestFinished(() => store.close());
  return store;
}

async function* one(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** Resolves when the store of another process is open. */
async function startProcess(dataDir: string, databaseUrl: string): Promise<void> {
  const child = fork(join(import.meta.dirname, "../appender.harness.ts"), [dataDir, "hold", databaseUrl], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  const [told] = (await once(child, "message")) as [string];
  expect(told).toBe("ready");
}
