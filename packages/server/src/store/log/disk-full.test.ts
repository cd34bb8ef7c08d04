import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Database } from "../database.ts";
import { makeDataDir, message, token } from "../temporary-store.harness.ts";
import { LogSweep } from "../threads/log-sweep.ts";
import { SqliteThreadStore } from "../threads/thread-store.ts";
import { SqliteThreadLog } from "./thread-log.ts";

it("says that the disk is full, shows nobody what is not stored, and goes on when there is room", async () => {
  const database = new Database(join(await makeDataDir(onTestFinished), "log.db"));
  onTestFinished(() => database.close());
  const log = new SqliteThreadLog(database);
  const threads = new SqliteThreadStore(database, new LogSweep(database), () => {});
  await threads.create({ id: "thread_a", fileIds: [] });
  await threads.create({ id: "thread_b", fileIds: [] });
  await log.append("thread_a", [token("before")]);
  const seen: string[] = [];
  const reading = (async () => {
    for await (const line of log.followLines("thread_a", { after: 0, signal: AbortSignal.timeout(50_000) })) {
      seen.push(line.json);
      if (seen.length === 3) break;
    }
  })();

  const pages = Number(database.statement("PRAGMA page_count").get()?.["page_count"]);
  database.exec(`PRAGMA max_page_count = ${pages}`);
  const large = "x".repeat(200_000);
  const outcomes = await Promise.allSettled([
    log.append("thread_a", [token("small"), token(large)]),
    log.append("thread_b", [message("m1", large)], { isDurable: true }),
  ]);
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "disk_full", isRetryable: true } });
  }
  expect(log.lastId("thread_a")).toBe(1);
  expect(threads.get("thread_b")?.messageCount).toBe(0);
  expect(seen).toHaveLength(1);

  database.exec("PRAGMA max_page_count = 1000000");
  const [after] = await log.append("thread_a", [token("after"), token("end")]);
  expect(after?.id).toBe(2);
  await reading;
  expect(seen.map((line) => (JSON.parse(line) as { text: string }).text)).toEqual(["before", "after", "end"]);
});
