import { Worker } from "node:worker_threads";
import { damagedDatabaseText } from "./damaged-error.ts";
import type { Damages } from "./damages.ts";

/** SQLite's quick check, in a thread of its own: a large database takes seconds, in which the server works. */
export function checkInBackground(path: string, damages: Damages): () => Promise<void> {
  const worker = new Worker(new URL("check-worker.ts", import.meta.url), { workerData: path });
  const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  worker.on("message", (faults: readonly string[]) => {
    if (faults.length > 0)
      damages.note({
        what: "database",
        message: `${damagedDatabaseText} (${faults.join("; ").slice(0, 300)})`,
        isContained: false,
      });
  });
  // A check that cannot be made says nothing of the database.
  worker.on("error", (error) => console.error("atoll: the database could not be checked:", error));
  worker.unref();
  return async () => {
    await worker.terminate();
    await ended;
  };
}
