import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DataFolder } from "../support/data-folder.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { ThreadUser } from "../support/thread-user.ts";

const dayMs = 86_400_000;
const clock = join(import.meta.dirname, "../support/jumping-clock.ts");

let folder: DataFolder;
let server: ServerProcess;

beforeAll(async () => {
  folder = await DataFolder.create("clock");
  server = await folder.start({ env: { NODE_OPTIONS: `--import=${clock}` } });
});
afterAll(() => folder[Symbol.asyncDispose]());

describe("a clock on the wall that jumps while the server runs", () => {
  it("deletes no thread, 40 days ahead", async () => {
    const idle = await rest();
    expect(await dueAfterMs(idle)).toBeLessThan(31 * dayMs);
    server.child.kill("SIGUSR2");
    // Whatever sets an alarm makes the queue look for those that are due.
    const other = await rest();
    await expect.poll(() => dueAfterMs(idle), { timeout: 60_000 }).toBeGreaterThan(60 * dayMs);
    for (const user of [idle, other]) expect((await fetch(user.url)).status).toBe(200);
    expect((await idle.ask("how many rows are there?")).response).toContain("6,218");
  });

  it("locks nobody out and loses nothing, 80 days back", async () => {
    server.child.kill("SIGUSR2");
    const user = await rest();
    expect((await user.ask("how many rows are there?")).response).toContain("6,218");
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });
});

async function rest(): Promise<ThreadUser> {
  const user = await ThreadUser.create(server.url);
  await user.client.threads.suspend(user.threadId);
  return user;
}

/** How far off its deletion is, by this process's clock; undefined when it is not planned. */
async function dueAfterMs({ client, threadId }: ThreadUser): Promise<number | undefined> {
  const { jobs } = await client.operator.jobs();
  const job = jobs.find(({ kind, thread_id }) => kind === "delete" && thread_id === threadId);
  return job && Date.parse(job.due_at) - Date.now();
}
