import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Store } from "./contract.ts";
import { openStore } from "./open.ts";
import { makeDataDir } from "./testing/temporary-store.ts";

const rounds = 12;

it("a server that is killed loses nothing it has acknowledged, doubles nothing and keeps no half of a file", async () => {
  const dataDir = await makeDataDir(onTestFinished);
  const acknowledged = { message: [] as string[], upload: [] as string[] };
  for (let round = 0; round < rounds; round += 1) {
    for (const line of await runUntilKilled(dataDir, 1 + Math.floor(Math.random() * 60))) {
      const [kind, ...rest] = line.split(" ");
      acknowledged[kind as "message" | "upload"].push(rest.join(" "));
    }
    const store = openStore({ dataDir });
    checkMessages(store, acknowledged.message);
    checkUploads(store, join(dataDir, "server/uploads"), acknowledged.upload);
    await store.close();
  }
  expect(acknowledged.message.length).toBeGreaterThan(0);
  expect(acknowledged.upload.length).toBeGreaterThan(0);
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

function checkUploads(store: Store, folder: string, acknowledged: readonly string[]): void {
  expect(readdirSync(join(folder, ".incoming"))).toEqual([]);
  const present = readdirSync(folder).filter((name) => name !== ".incoming");
  for (const fileId of present) {
    const content = readFileSync(store.uploads.hostPath(fileId));
    expect(createHash("sha256").update(content).digest("hex")).toBe(store.uploads.get(fileId)?.sha256);
  }
  for (const line of acknowledged) {
    const [fileId = "", sha256] = line.split(" ");
    expect(present).toContain(fileId);
    expect(store.uploads.get(fileId)).toMatchObject({ sha256, sizeBytes: 16 * 64 * 1024 });
  }
}

/** What the child had acknowledged when it was killed: at a moment that its own work decides. */
async function runUntilKilled(dataDir: string, killAfter: number): Promise<string[]> {
  const lines: string[] = [];
  const child = fork(join(import.meta.dirname, "testing/appender.ts"), [dataDir, "work"], {
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
