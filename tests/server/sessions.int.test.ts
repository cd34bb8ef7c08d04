import { readdirSync } from "node:fs";
import { join } from "node:path";
import { AtollClient } from "@atoll/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EventStream } from "../support/event-stream.ts";
import { createGate, reply, text, waitFor } from "../support/scripted-openai/index.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { ThreadUser } from "../support/thread-user.ts";
import { LifecycleBench, run } from "./lifecycle/bench.ts";
import { beacon, endOf, findNames, lookAt, patience, ttlS } from "./sessions/bench.ts";

let bench: LifecycleBench;
let baseDir = "";
beforeAll(async () => {
  bench = await LifecycleBench.create("sessions");
  baseDir = join(bench.folder.path, "base");
});
afterAll(() => bench[Symbol.asyncDispose]());

const start = (env: Record<string, string> = {}) =>
  bench.start({ SESSION_BASE_DIR: baseDir, SESSION_TTL_S: "600", SESSION_LEAVE_S: "3", ...env });

describe("temporary threads", { timeout: 240_000 }, () => {
  it("are apart from those that last, and go whole when nobody uses them; a reader is a use", async () => {
    await using server = await start({ SESSION_TTL_S: String(ttlS) });
    const lasting = await ThreadUser.create(server.url);
    const read = await ThreadUser.create(server.url, { temporary: true });
    const reader = await read.follow();
    const user = await ThreadUser.create(server.url, { temporary: true });
    const { client, threadId } = user;

    const listed = async (temporary?: boolean) =>
      (await client.threads.list(temporary ? { temporary } : {})).threads.map(({ thread_id }) => thread_id);
    expect(await listed()).toEqual([lasting.threadId]);
    expect(new Set(await listed(true))).toEqual(new Set([lasting.threadId, read.threadId, threadId]));
    expect((await lasting.client.threads.get(lasting.threadId)).temporary).toBeUndefined();

    await client.threads.upload(threadId, [{ name: "a.csv", content: "city,sales\nOslo,7\n" }]);
    const before = await client.threads.get(threadId);
    expect(before.temporary).toMatchObject({ ttl_s: ttlS, max_bytes: 5_242_880 });
    await run(user, "open('made.bin', 'wb').write(b'x' * 100_000)");
    const { temporary } = await client.threads.get(threadId);
    expect(temporary?.used_bytes).toBeGreaterThan((before.temporary?.used_bytes ?? 0) + 100_000);
    expect(Date.parse(temporary?.expires_at ?? "")).toBeGreaterThan(
      Date.parse(before.temporary?.expires_at ?? ""),
    );
    expect(findNames(baseDir, threadId).length).toBeGreaterThan(0);
    expect(findNames(baseDir, "temp_")).toHaveLength(1);
    expect(findNames(join(bench.folder.path, "server"), threadId)).toEqual([]);
    const sandboxes = join(baseDir, "local/store/sandboxes");
    expect(readdirSync(sandboxes)).toContain(threadId);

    await expect.poll(() => lookAt(user), patience).toBe("404 expired");
    for (const path of ["history", "status", "events", "files"])
      expect((await fetch(`${user.url}/${path}`)).status, path).toBe(404);
    await expect.poll(() => findNames(baseDir, threadId), patience).toEqual([]);
    await expect.poll(() => findNames(baseDir, "temp_"), patience).toEqual([]);
    expect(await lookAt(read)).toBe("there");
    reader.close();
    await expect.poll(() => lookAt(read), patience).toBe("404 expired");
    expect(await lookAt(lasting)).toBe("there");
  });

  it("are not cut in an answer, and end at the time that a killed server has left", async () => {
    await using first = await start({ SESSION_TTL_S: String(ttlS) });
    const [answering, left] = [
      await ThreadUser.create(first.url, { temporary: true }),
      await ThreadUser.create(first.url, { temporary: true }),
    ];
    const gate = createGate();
    bench.models.script(reply(text("Thinking"), waitFor(gate), text(" done.")));
    const answer = await answering.send("take your time");
    await answer.untilText("Thinking");
    answer.close();
    await expect.poll(() => lookAt(left), patience).toBe("404 expired");
    expect(await lookAt(answering)).toBe("there");
    gate.open();
    await answering.untilIdle();
    const young = await ThreadUser.create(first.url, { temporary: true });
    await run(young, "x = 1");
    const endMs = await endOf(young);
    await first.kill();

    await using second = await start({ SESSION_TTL_S: "600" });
    for (const user of [answering, young, left]) user.moveTo(second.url);
    expect(await lookAt(left)).toBe("404 expired");
    // Its own time counts, not that of the new server; what a use adds to it in the store is a twentieth.
    if ((await lookAt(young)) === "there")
      expect((await endOf(young)) - endMs).toBeLessThanOrEqual(ttlS * 50 + 1);
    await expect.poll(() => lookAt(young), patience).toBe("404 expired");
    await expect.poll(() => lookAt(answering), patience).toBe("404 expired");
    await expect.poll(() => findNames(baseDir, young.threadId), patience).toEqual([]);
  });

  it("whose time came while no server ran are gone when one does", async () => {
    const first = await start({ SESSION_TTL_S: "2" });
    const user = await ThreadUser.create(first.url, { temporary: true });
    const endMs = await endOf(user);
    await first.kill();
    await expect.poll(() => Date.now() > endMs + 1000, patience).toBe(true);
    await using second = await start();
    user.moveTo(second.url);
    expect(await lookAt(user)).toBe("404 expired");
    await expect.poll(() => findNames(baseDir, user.threadId), patience).toEqual([]);
  });
});

describe("a temporary thread", { timeout: 240_000 }, () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());
  const create = () => ThreadUser.create(server.url, { temporary: true });

  it("takes no upload past its quota, by whatever way", async () => {
    const user = await create();
    const { client, threadId } = user;
    const big = { name: "big.bin", content: new Uint8Array(6_000_000) };
    const full = { status: 413, code: "too_large", hint: expect.stringContaining("SESSION_MAX_BYTES") };
    await expect(client.threads.upload(threadId, [big])).rejects.toMatchObject(full);
    await expect(client.threads.files(threadId).upload([big])).rejects.toMatchObject(full);
    await expect(client.threads.files(threadId).write("big.bin", big.content)).rejects.toMatchObject(full);
    await expect(client.sessions.upload("a-session", [big])).rejects.toMatchObject(full);
    const { files } = await client.upload([big]);
    const file_ids = files.map(({ file_id }) => file_id);
    await expect(client.threads.addData(threadId, file_ids)).rejects.toMatchObject(full);
    await expect(client.threads.create({ temporary: true, file_ids })).rejects.toMatchObject(full);
    const halves = [1, 2].map((n) => ({ name: `${n}.bin`, content: new Uint8Array(3_000_000) }));
    const sent = await Promise.allSettled(halves.map((half) => client.threads.upload(threadId, [half])));
    expect(sent.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const { temporary, files: kept } = await client.threads.get(threadId);
    expect(kept).toHaveLength(1);
    // Beside the upload, what a sandbox that was made anew has kept of its variables.
    expect(temporary?.used_bytes).toBeLessThan(4_500_000);
    expect(findNames(join(baseDir, "server/uploads"), "temp_")).toHaveLength(1);
    await client.threads.remove(threadId);
    expect(findNames(join(baseDir, "server/uploads"), "temp_")).toHaveLength(0);
  });

  it("that a run fills says so, and grows no further until there is room", async () => {
    const user = await create();
    const fill = (name: string) =>
      user.ask(
        `with open('${name}', 'wb') as file:\n  for _ in range(400):\n    file.write(b'x' * 100_000)\n    file.flush()`,
      );
    const first = await fill("one.bin");
    expect(first.code_runs[0]?.status).not.toBe("ok");
    const events = await user.log();
    expect(events).toContainEqual(expect.objectContaining({ type: "status", code: "session_full" }));
    const usedBytes = async () => (await user.client.threads.get(user.threadId)).temporary?.used_bytes ?? 0;
    const used = await usedBytes();
    expect(used).toBeGreaterThan(5_000_000);
    expect(used).toBeLessThan(1.3 * 5_242_880 + 100_000);
    const second = await fill("two.bin");
    expect(second.code_runs[0]?.status).not.toBe("ok");
    expect(await usedBytes()).toBeLessThan(used + 200_000);
    const late = { name: "late.csv", content: "a,b\n1,2\n" };
    await expect(user.client.threads.upload(user.threadId, [late])).rejects.toMatchObject({
      code: "too_large",
    });
    await user.client.threads.files(user.threadId).remove("one.bin");
    expect(await run(user, "open('small.txt', 'w').write('fits'); print('ok')")).toBe("ok");
  });

  it("ends when its page leaves, but not by a reload, and never one that lasts", async () => {
    const [left, reloaded] = [await create(), await create()];
    const lasting = await ThreadUser.create(server.url);
    const page = await left.follow();
    expect((await beacon(server, left.threadId)).status).toBe(200);
    page.close();
    expect((await fetch(`${server.url}/thread/${reloaded.threadId}/leave`, { method: "POST" })).status).toBe(
      200,
    );
    // The page is loaded anew: it asks for the history, then follows.
    await reloaded.history();
    const again = await reloaded.follow();
    await expect.poll(() => lookAt(left), patience).toBe("404 expired");
    expect(await lookAt(reloaded)).toBe("there");
    expect((await endOf(reloaded)) - Date.now()).toBeGreaterThan(300_000);
    again.close();
    const refused = await beacon(server, lasting.threadId);
    expect([refused.status, await refused.json()]).toMatchObject([400, { code: "invalid_argument" }]);
    expect((await beacon(server, reloaded.threadId, { origin: "http://evil.example" })).status).toBe(403);
    expect(await lookAt(lasting)).toBe("there");
    await reloaded.client.threads.remove(reloaded.threadId);
    expect(await lookAt(reloaded)).toBe("404 expired");
  });

  it("branches into another temporary one", async () => {
    const user = await create();
    await run(user, "kept = 42");
    const [asked] = await user.history();
    const { thread_id } = await user.client.threads.branch(user.threadId, {
      message_id: asked?.message_id ?? "",
    });
    const branch = new ThreadUser(server.url, thread_id);
    expect((await branch.client.threads.get(thread_id)).temporary).toMatchObject({ ttl_s: 600 });
    expect(await run(branch, "print(kept)")).toBe("42");
  });
});

describe("the session routes of the seed", { timeout: 240_000 }, () => {
  let server: ServerProcess;
  let client: AtollClient;
  beforeAll(async () => {
    server = await start({ ATOLL_MODEL: "built-in" });
    client = new AtollClient({ baseUrl: server.url });
  });
  afterAll(() => server.stop());

  it.each([
    ["English", "english-session", "total sales by city", /^[^\p{Script=Han}]*$/u],
    ["Chinese", "chinese-session", "按城市汇总销售额", /\p{Script=Han}/u],
  ])("work in %s: upload, ask, list, download, clear", async (_, sessionId, question, language) => {
    const form = new FormData();
    form.append("files", new Blob(["city,sales\nOslo,10\nBergen,20\nOslo,5\n"]), "sales.csv");
    form.append("session_id", sessionId);
    const uploaded = await fetch(`${server.url}/files/upload`, { method: "POST", body: form });
    expect(await uploaded.json()).toMatchObject({
      files: [{ filename: "sales.csv" }],
      temporary: { max_bytes: 5_242_880 },
    });
    const answer = await client.sessions.chat(sessionId, question);
    expect(answer).toMatchObject({ status: "completed", model: "built-in" });
    expect(answer.response).toMatch(/Bergen\W+20/);
    expect(answer.response).toMatch(/Oslo\W+15/);
    expect(answer.response).toMatch(language);
    const { files, thread_id } = await client.sessions.files(sessionId);
    expect(thread_id).toBe(answer.thread_id);
    expect(files).toContainEqual(expect.objectContaining({ path: "/data/sales.csv", size_bytes: 36 }));
    const downloaded = await client.sessions.download(sessionId, "sales.csv");
    expect(downloaded.headers.get("content-disposition")).toContain("attachment");
    expect(await downloaded.text()).toContain("Bergen,20");

    const stream = await EventStream.open(`${server.url}/chat/stream`, {
      body: { session_id: sessionId, message: question },
    });
    const done = await stream.until("done");
    expect([done.thread_id, stream.text]).toEqual([thread_id, done.response]);
    await stream.ended;
    expect((await client.threads.history(thread_id)).messages).toHaveLength(4);

    expect(await client.sessions.clear(sessionId)).toBe(true);
    expect(await client.sessions.clear(sessionId)).toBe(false);
    await expect(client.threads.get(thread_id)).rejects.toMatchObject({ status: 404, code: "expired" });
    const anew = await client.sessions.chat(sessionId, "What are the top 5 categories by spend?");
    expect(anew.response).toContain("Shopping");
  });

  it("refuse what is no name of a session, in whichever place it stands", async () => {
    const post = async (path: string, body: string | FormData, headers = {}) => {
      const response = await fetch(server.url + path, { method: "POST", body, headers });
      return [response.status, ((await response.json()) as { code: string }).code];
    };
    const json = { "content-type": "application/json" };
    const refused = [400, "invalid_argument"];
    expect(await post("/chat", '{"session_id": "short", "message": "x"}', json)).toEqual(refused);
    expect(await post("/chat", '{"message": "x"}', json)).toEqual(refused);
    expect(await post("/chat/stream", '{"session_id": "../../etc", "message": "x"}', json)).toEqual(refused);
    expect(await post("/files/clear", '{"session_id": 7}', json)).toEqual(refused);
    const form = new FormData();
    form.append("files", new Blob(["x"]), "x.txt");
    expect(await post("/files/upload", form)).toEqual(refused);
    expect((await fetch(`${server.url}/files/list?session_id=a/b/c/d`)).status).toBe(400);
    expect((await fetch(`${server.url}/files/download?session_id=my-session`)).status).toBe(400);
    const outside = `${server.url}/files/download?session_id=my-session&path=../../etc/shadow`;
    expect((await fetch(outside)).status).toBeGreaterThanOrEqual(400);
    expect(findNames(join(baseDir, "server/uploads"), "temp_")).toEqual([]);
  });
});
