import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { AtollApiError, AtollClient } from "@atoll/client";
import { localDriver } from "@atoll/sandbox";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeIf } from "./support/requirements.ts";

const missing = await localDriver.unavailableBecause();
const main = join(import.meta.dirname, "../packages/server/src/main.ts");

/** The whole product from outside: its own program, its own client, no model. */
describeIf({ suite: "the client and a running server", missing, isRequired: true }, () => {
  let dataDir = "";
  let client: AtollClient;
  let stop = async () => {};

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "atoll-client-"));
    const env = { PATH: process.env["PATH"], HOME: process.env["HOME"], PORT: "0", ATOLL_DATA_DIR: dataDir };
    const server = spawn(process.execPath, [main], {
      cwd: dataDir,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(server, "exit");
    stop = async () => {
      server.kill("SIGTERM");
      await ended;
    };
    for await (const line of createInterface({ input: server.stdout })) {
      const url = /http:\/\/[\d.:]+/.exec(line)?.[0];
      if (url) client = new AtollClient({ baseUrl: url });
      if (url) break;
    }
  });
  afterAll(async () => {
    await stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  it("ask about the bundled table and get numbers, a table and a chart", async () => {
    const { thread_id: id } = await client.threads.create();
    const answer = await client.threads.send(id, "What are the top 5 categories by spend?");
    expect([answer.status, answer.model]).toEqual(["completed", "built-in"]);
    expect(answer.response).toContain("Shopping");
    expect(answer.results.map(({ kind }) => kind).toSorted()).toEqual(["image", "table"]);
    expect((await client.threads.history(id)).messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
    ]);
  });

  it("stream an answer, and read the same events again from the log", async () => {
    const { thread_id: id } = await client.threads.create();
    const events = await Array.fromAsync(client.threads.stream(id, "Show me monthly trends"));
    const streamed = events.filter(({ type }) => type === "token").length;
    expect([events[0]?.type, events.at(-1)?.type, streamed > 3]).toEqual(["message", "done", true]);
    const { events: stored } = await client.threads.readEvents(id, { after: (events[0]?.id ?? 1) - 1 });
    expect(stored.slice(0, events.length)).toEqual(events);
  });

  it("upload a file from a stream and work with it", async () => {
    const content = new Blob(["city,sales\nOslo,3\nRome,5\n"]).stream() as ReadableStream<Uint8Array>;
    const { files } = await client.upload([{ name: "sales.csv", content }]);
    const thread = await client.threads.create({ file_ids: files.map(({ file_id: fileId }) => fileId) });
    expect(thread.attached_files).toEqual(["sales.csv"]);
    expect(thread.data?.tables[0]).toMatchObject({ rows: 2 });
    const inside = client.threads.files(thread.thread_id);
    expect(await inside.readText("/data/sales.csv")).toContain("Rome,5");
    await inside.write("notes.txt", "written from outside");
    expect((await inside.list()).files.map(({ name }) => name)).toContain("notes.txt");
    await client.threads.remove(thread.thread_id);
    await expect(client.threads.get(thread.thread_id)).rejects.toBeInstanceOf(AtollApiError);
  });

  it("run Python in a sandbox of their own", async () => {
    const { sandbox_id: id } = await client.sandboxes.create();
    expect((await client.sandboxes.runPython(id, "6 * 7")).results[0]?.text).toBe("42");
    const types: string[] = [];
    for await (const event of client.sandboxes.streamPython(id, "print('live')")) types.push(event.type);
    expect(types).toEqual(["output", "code_run"]);
    expect(await client.sandboxes.runCommand(id, "echo hi")).toMatchObject({ exit_code: 0, stdout: "hi\n" });
    await client.sandboxes.remove(id);
  });
});
