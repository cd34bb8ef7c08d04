import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "./open.ts";
import { makeDataDir, message, openTemporaryStore } from "./temporary-store.harness.ts";

describe("a data folder", () => {
  it("is closed to other users", async () => {
    const dataDir = await makeDataDir(onTestFinished);
    const store = await openTemporaryStore(onTestFinished, dataDir);
    await store.settings.update({ model: "built-in" });
    const modeOf = (name: string) => statSync(join(dataDir, "server", name)).mode & 0o777;
    expect(modeOf(".")).toBe(0o700);
    const files = ["atoll.db", "atoll.db-wal", "secret", "settings.json", "owner.lock"];
    expect(files.map(modeOf)).toEqual(files.map(() => 0o600));
  });

  it("has one owner in a process", async () => {
    const dataDir = await makeDataDir(onTestFinished);
    const store = await openStore({ dataDir });
    await expect(openStore({ dataDir })).rejects.toThrow(/Another Atoll server \(process \d+\) is using/);
    await store.close();
    await (await openStore({ dataDir })).close();
  });

  it("has one owner among processes, and is free when that one is killed", async () => {
    const dataDir = await makeDataDir(onTestFinished);
    const owner = fork(join(import.meta.dirname, "appender.harness.ts"), [dataDir, "hold"], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    await once(owner, "message");
    await expect(openStore({ dataDir })).rejects.toThrow(expect.objectContaining({ code: "busy" }));
    owner.kill("SIGKILL");
    await once(owner, "exit");
    await (await openStore({ dataDir })).close();
  });

  it("of a newer version is refused and left as it is", async () => {
    const dataDir = await makeDataDir(onTestFinished);
    await (await openStore({ dataDir })).close();
    const path = join(dataDir, "server/atoll.db");
    const database = new DatabaseSync(path);
    database.exec("PRAGMA user_version = 99");
    database.close();
    const before = readFileSync(path);
    await expect(openStore({ dataDir })).rejects.toThrow(/newer Atoll \(database version 99/);
    await expect(openStore({ dataDir })).rejects.toThrow(expect.objectContaining({ code: "not_supported" }));
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("with a damaged database is refused with a clear message", async () => {
    const dataDir = await makeDataDir(onTestFinished);
    await (await openStore({ dataDir })).close();
    writeFileSync(
      join(dataDir, "server/atoll.db"),
      "not a database, but long enough to be read as one".repeat(50),
    );
    await expect(openStore({ dataDir })).rejects.toThrow(
      /database atoll.db is damaged .*atoll doctor --repair/,
    );
  });

  it("keeps its secret, its settings and its threads", async () => {
    const dataDir = await makeDataDir(onTestFinished);
    const first = await openStore({ dataDir });
    await first.settings.update({
      keys: { openai: "sk-0123456789abcdef" },
      baseUrl: "http://127.0.0.1:1/v1",
    });
    await first.threads.create({ id: "thread_a", fileIds: [] });
    await first.log.append("thread_a", [message("m1")], { isDurable: true });
    await first.close();
    const second = await openTemporaryStore(onTestFinished, dataDir);
    expect(second.secret).toHaveLength(32);
    expect(Buffer.from(second.secret).equals(first.secret)).toBe(true);
    expect(second.settings.get()).toEqual(first.settings.get());
    expect(second.threads.get("thread_a")?.messageCount).toBe(1);
    expect(second.log.unsettled()).toEqual(["thread_a"]);
  });
});
