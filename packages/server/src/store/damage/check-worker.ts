// A worker: looks through a database beside the server that uses it, and posts what is wrong with it.
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(check(workerData as string));

function check(path: string): string[] {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    const rows = database.prepare("PRAGMA quick_check(5)").all();
    return rows.map((row) => String(row["quick_check"])).filter((text) => text !== "ok");
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    database.close();
  }
}
