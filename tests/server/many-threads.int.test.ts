import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AtollClient } from "@atoll/client";
import { Sandbox } from "@atoll/sandbox";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DataFolder } from "../support/data-folder.ts";
import { readResidentMb } from "../support/resident-memory.ts";
import type { ServerProcess } from "../support/server-process.ts";

const count = 200;
let folder: DataFolder;
let server: ServerProcess;

beforeAll(async () => {
  folder = await DataFolder.create("many");
  server = await folder.start();
});
afterAll(() => folder[Symbol.asyncDispose]());

it(`${count} threads at once get their own right answers, and leave nothing when they are deleted`, async () => {
  const client = new AtollClient({ baseUrl: server.url });
  const memoryMb = () => readResidentMb(server.child.pid);
  // Every thread has a table of its own, so that an answer from another's would show.
  const numbers = Array.from({ length: count }, (_, at) => at);
  const first = await client.threads.create();
  await client.threads.remove(first.thread_id, { now: true });
  const [beforeMb, processes] = [await memoryMb(), await folder.processes()];

  const threads = await Promise.all(
    numbers.map(async (number) => {
      const content = `item,sales\napple,${number}\npear,1000\napple,${number}\n`;
      const { files } = await client.upload([{ name: "sales.csv", content }]);
      const { thread_id } = await client.threads.create({ file_ids: files.map(({ file_id }) => file_id) });
      return thread_id;
    }),
  );
  expect(new Set(threads).size).toBe(count);
  const answers = await Promise.all(threads.map((id) => client.threads.send(id, "What is the total sales?")));
  for (const [number, answer] of answers.entries()) {
    expect(answer).toMatchObject({ status: "completed", model: "built-in", thread_id: threads[number] });
    expect(answer.response).toContain((1000 + 2 * number).toLocaleString("en-US"));
  }
  const growthMb = (await memoryMb()) - beforeMb;
  console.log(`${count} threads: ${growthMb.toFixed(0)} MB more in the server`);
  expect(growthMb).toBeLessThan(300);
  expect(await livingSandboxes()).toBeGreaterThan(count / 2);

  await Promise.all(threads.map((id) => client.threads.remove(id, { now: true })));
  expect((await client.threads.list()).threads).toEqual([]);
  expect(await Sandbox.list({ dataDir: folder.path })).toEqual([]);
  // Sandboxes that are made ahead of time come and go.
  await expect
    .poll(async () => (await folder.processes()).length, patience)
    .toBeLessThan(processes.length + 20);
  await expect.poll(() => foldersOf(threads), patience).toEqual([]);
  await expect.poll(() => countRows("events"), patience).toBe(0);
  expect([countRows("threads"), countRows("thread_files"), countRows("texts")]).toEqual([0, 0, 0]);
}, 240_000);

const patience = { interval: 100 };

async function livingSandboxes(): Promise<number> {
  const listed = await Sandbox.list({ dataDir: folder.path });
  return listed.filter(({ state }) => state !== "dead").length;
}

/** Whatever is named after one of the threads, anywhere in the data folder. */
async function foldersOf(threads: readonly string[]): Promise<string[]> {
  const known = new Set(threads);
  const names = await readdir(folder.path, { recursive: true });
  return names.filter((name) => known.has(name.split("/").at(-1) ?? ""));
}

function countRows(table: string): number {
  const database = new DatabaseSync(join(folder.path, "server/atoll.db"), { readOnly: true });
  try {
    return Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]);
  } finally {
    database.close();
  }
}
