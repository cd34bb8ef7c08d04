import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { describeOnDatabases } from "../../../../tests/support/databases.ts";
import type { Store } from "./contract.ts";
import { openStore } from "./open.ts";
import { makeDataDir } from "./temporary-store.harness.ts";

const rounds = 8;

describeOnDatabases("a server that is killed", (databaseOf) => {
  it("loses nothing it has acknowledged, doubles nothing and shows no half of a file", async () => {
    const dataDir = await makeDataDir(onTestFinished);
    const databaseUrl = await databaseOf(dataDir);
    const acknowledged = { message: [] as string[], upload: [] as string[] };
    for (let round = 0; round < rounds; round += 1) {
      for (const line of await runUntilKilled(dataDir, databaseUrl, 1 + Math.floor(Math.random() * 60))) {
        const [kind, ...rest] = line.split(" ");
        acknowledged[kind as "message" | "upload"].push(rest.join(" "));
      }
      const store = await openStore({ dataDir, databaseUrl });
      await store.ownership.takeOver("thread_killed");
      checkMessages(store, acknowledged.message);
      await checkUploads(store, join(dataDir, "server/uploads"), acknowledged.upload);
      // Where others may be at work, what is left half-way stays until it is old.
      if (databaseUrl === undefined) await checkLeftovers(store, join(dataDir, "server/uploads"));
      await store.close();
    }
    expect(acknowledged.message.length).toBeGreaterThan(0);
    expect(acknowledged.upload.length).toBeGreaterThan(0);
  });
});

function checkMessages(store: Store, acknowledged: readonly string[]): void {
  const ids = store.log.read("thread_killed").map((event) => event.id);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  expect(new Set(ids).size).toBe(ids.length);
  const messages = store.log.read("thread_killed", { types: ["message"] });
  const stored = messages.map((event) => `${event.id} ${event.type === "message" && event.message_id}`);
  expect([...new Set(acknowledged).difference(new Set(stored))]).toEqual([]);
  expect(new Set(stored.map((line) => line.split(" ")[1])).size).toBe(stored.length);
  expect(store.threads.get("thread_killed")?.messageCount).toBe(stored.length);
}

async function checkUploads(store: Store, folder: string, acknowledged: readonly string[]): Promise<void> {
  for (const line of acknowledged) {
    const [fileId = "", sha256] = line.split(" ");
    expect(await store.uploads.get(fileId)).toMatchObject({ sha256, sizeBytes: 16 * 64 * 1024 });
  }
  for (const fileId of readdirSync(folder).filter((name) => name !== ".incoming")) {
    const known = await store.uploads.get(fileId);
    const content = readFileSync(store.uploads.hostPath(fileId));
    if (known) expect(createHash("sha256").update(content).digest("hex")).toBe(known.sha256);
  }
}

async function checkLeftovers(store: Store, folder: string): Promise<void> {
  expect(readdirSync(join(folder, ".incoming"))).toEqual([]);
  for (const fileId of readdirSync(folder).filter((name) => name !== ".incoming"))
    expect(await store.uploads.get(fileId)).toBeDefined();
}

/** What the child had acknowledged when it was killed: at a moment that its own work decides. */
async function runUntilKilled(
  dataDir: string,
  databaseUrl: string | undefined,
  killAfter: number,
): Promise<string[]> {
  const lines: string[] = [];
  const child = fork(join(import.meta.dirname, "appender.harness.ts"), [dataDir, "work", databaseUrl ?? ""], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  child.on("message", (line: string) => {
    lines.push(line);
    if (lines.length === killAfter) setTimeout(() => child.kill("SIGKILL"), Math.random() * 5);
  });
  await once(child, "exit");
  expect(child.signalCode).toBe("SIGKILL");
  return lines;
}
