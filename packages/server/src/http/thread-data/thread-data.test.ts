import { expect, onTestFinished, test } from "vitest";
import { dataAddedSchema, errorSchema, threadDataSchema } from "@atoll/protocol/schemas";
import { readAs } from "../read-as.harness.ts";
import { makeTestServer, type TestServer } from "../test-server.harness.ts";

async function upload({ store }: TestServer, name: string): Promise<string> {
  const content = ReadableStream.from([Buffer.from("a,b\n1,2\n")]);
  return (await store.uploads.receive(name, content, { maxBytes: 100 })).fileId;
}

test("files are given to a thread that is there, beside those it has, each once", async () => {
  const server = await makeTestServer(onTestFinished);
  const thread = await server.newThread();
  const [first, second] = [await upload(server, "a.csv"), await upload(server, "b.csv")];
  await server.post(`/thread/${thread}/data`, { file_ids: [first] });
  const added = server.post(`/thread/${thread}/data`, { file_ids: [second, first, second] });
  const { files, is_pending, data } = await readAs(dataAddedSchema, added);
  expect(files.map(({ filename }) => filename)).toEqual(["a.csv", "b.csv"]);
  expect([is_pending, data?.others.length]).toEqual([false, 1]);
  expect(server.store.threads.get(thread)?.fileIds).toEqual([first, second]);
});

test("questions come in the language that is asked for, and in none other", async () => {
  const server = await makeTestServer(onTestFinished);
  const thread = await server.newThread();
  await server.post(`/thread/${thread}/data`, { file_ids: [await upload(server, "a.csv")] });
  const read = (query: string) => readAs(threadDataSchema, server.ask(`/thread/${thread}/data${query}`));
  expect((await read("?language=zh")).suggestions).toEqual(["有多少行？"]);
  expect((await read("")).suggestions).toEqual(["How many rows are there?"]);
  expect((await server.ask(`/thread/${thread}/data?language=klingon`)).status).toBe(400);
});

test("while a message is being answered, given files are told to wait", async () => {
  const server = await makeTestServer(onTestFinished);
  server.runner.gate = new Promise(() => {});
  const thread = await server.newThread();
  await server.post(`/thread/${thread}/messages`, { message: "hello" });
  const added = server.post(`/thread/${thread}/data`, { file_ids: [await upload(server, "a.csv")] });
  expect(await readAs(dataAddedSchema, added)).toMatchObject({ is_pending: true });
});

test("a file that is not there, one too many and no file at all are refused, and nothing is given", async () => {
  const server = await makeTestServer(onTestFinished, { config: { threadQuotaBytes: 10 } });
  const thread = await server.newThread();
  const [first, second] = [await upload(server, "a.csv"), await upload(server, "b.csv")];
  const give = (fileIds: string[], id = thread) => server.post(`/thread/${id}/data`, { file_ids: fileIds });
  const unknown = await give([first, "nothing"]);
  expect([unknown.status, (await readAs(errorSchema, unknown)).hint]).toEqual([
    404,
    expect.stringContaining("POST /upload"),
  ]);
  expect((await give([])).status).toBe(400);
  expect((await give([first], "nobody")).status).toBe(404);
  expect(server.store.threads.get(thread)?.fileIds).toEqual([]);
  expect((await give([first])).status).toBe(200);
  // What it has counts too.
  expect((await give([second])).status).toBe(413);
  expect(server.store.threads.get(thread)?.fileIds).toEqual([first]);
});
