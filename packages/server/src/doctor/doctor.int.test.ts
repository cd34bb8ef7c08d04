import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../store/open.ts";
import { makeDataDir, message, token } from "../store/temporary-store.harness.ts";
import { examine } from "./doctor.ts";

const pageBytes = 4096;
const words = 300;

describe("atoll doctor", () => {
  it("finds nothing wrong with a folder in order, and changes nothing", async () => {
    const { dataDir } = await fill();
    expect(await states(dataDir)).toEqual(["ok", "ok"]);
    expect(await states(dataDir, true)).toEqual(["ok", "ok"]);
  });

  it("does not touch a folder that a server uses", async () => {
    const { dataDir } = await fill();
    const store = await openStore({ dataDir });
    await expect(states(dataDir)).rejects.toMatchObject({ code: "busy" });
    await store.close();
  });

  it.each([
    ["its first page", (bytes: Buffer) => bytes.fill(0, 0, pageBytes), 3 * (words + 1)],
    ["pages in its middle", (bytes: Buffer) => bytes.fill(0, 60 * pageBytes, 70 * pageBytes), 600],
    ["its last pages", (bytes: Buffer) => bytes.fill(0, bytes.length - 12 * pageBytes), 600],
  ])("saves what can be saved of a database that has lost %s", async (_, change, least) => {
    const { dataDir } = await fill();
    const path = join(dataDir, "server/atoll.db");
    writeFileSync(path, change(readFileSync(path)));
    expect(await states(dataDir)).toContain("damaged");
    const [found] = await findings(dataDir, true);
    expect(found).toMatchObject({ state: "repaired", message: expect.stringContaining("threads") });
    expect(readdirSync(join(dataDir, "server")).some((name) => name.startsWith("atoll.db.damaged-"))).toBe(
      true,
    );

    const store = await openStore({ dataDir });
    const { threads } = await store.threads.list({ limit: 9 });
    expect(threads).toHaveLength(3);
    const events = threads.flatMap(({ id }) => store.log.read(id));
    expect(events.length).toBeGreaterThanOrEqual(least);
    await store.log.append(threads[0]?.id ?? "", [message("m2")], { isDurable: true });
    expect(store.isWhole).toBe(false);
    await store.close();
    expect(await states(dataDir, true)).not.toContain("damaged");
    const next = await openStore({ dataDir });
    expect([next.isWhole, next.damages.list()]).toEqual([true, []]);
    await next.close();
  });

  it("leaves out an event that is no JSON, and keeps one that was changed as it reads now", async () => {
    const { dataDir } = await fill();
    const path = join(dataDir, "server/atoll.db");
    const bytes = readFileSync(path);
    bytes.write("{", bytes.indexOf('"text":"word 7 of thread_1') + 6);
    bytes.write("W", bytes.indexOf('"text":"word 9 of thread_2') + 8);
    writeFileSync(path, bytes);
    const [found] = await findings(dataDir);
    expect(found?.message).toMatch(
      /event 8 of thread thread_1 is no JSON; event 10 of thread thread_2 was changed/,
    );
    const [repaired] = await findings(dataDir, true);
    expect(repaired?.message).toMatch(
      /1 events could not be read and are left out; 1 events were changed on disk/,
    );
    const store = await openStore({ dataDir });
    const texts = ["thread_1", "thread_2"].map((id) =>
      store.log.read(id).map((event) => JSON.stringify(event)),
    );
    await store.close();
    expect(texts.map((lines) => lines.length)).toEqual([words, words + 1]);
    expect(texts[1]?.[9]).toContain("Word 9 of thread_2");
  });

  it("names files that are not what was stored, and leaves them where they are", async () => {
    const { dataDir, upload, blob } = await fill();
    for (const path of [upload, blob]) {
      const content = readFileSync(path);
      content[0] = (content[0] ?? 0) ^ 1;
      rmSync(path);
      writeFileSync(path, content);
    }
    const found = await findings(dataDir, true);
    const damaged = found.filter(({ state }) => state === "damaged").map((finding) => finding.message);
    expect(damaged).toEqual([
      expect.stringContaining('"sales.csv"'),
      expect.stringContaining("A file of a thread"),
    ]);
    expect([existsSync(upload), existsSync(blob)]).toEqual([true, true]);
  });

  it("tells of a lost write-ahead log, and lets the server go on without it", async () => {
    const { dataDir } = await fill();
    const store = await openStore({ dataDir });
    await store.threads.create({ id: "thread_late", fileIds: [] });
    const killed = await makeDataDir(onTestFinished);
    cpSync(dataDir, killed, { recursive: true });
    await store.close();
    for (const end of ["-wal", "-shm"]) rmSync(join(killed, `server/atoll.db${end}`), { force: true });
    expect(await states(killed)).toContain("damaged");
    expect(await states(killed, true)).toContain("repaired");
    const next = await openStore({ dataDir: killed });
    expect(next.isWhole).toBe(true);
    await next.close();
  });
});

async function findings(dataDir: string, isRepairing = false) {
  return Array.fromAsync(examine(dataDir, { isRepairing }));
}

async function states(dataDir: string, isRepairing = false): Promise<string[]> {
  return (await findings(dataDir, isRepairing)).map(({ state }) => state);
}

async function fill() {
  const dataDir = await makeDataDir(onTestFinished);
  const store = await openStore({ dataDir });
  const file = await store.uploads.receive("sales.csv", bytes("item,sales\n"), { maxBytes: 99 });
  for (const id of ["thread_0", "thread_1", "thread_2"]) {
    await store.threads.create({ id, fileIds: [file.fileId] });
    await store.log.append(id, [message("m1")], { isDurable: true });
    const said = Array.from({ length: words }, (_, at) =>
      token(`word ${at + 1} of ${id} ${"x".repeat(300)}`),
    );
    await store.log.append(id, said);
  }
  const hash = store.blobs.put("thread_0", Buffer.from("image"));
  const upload = store.uploads.hostPath(file.fileId);
  await store.close();
  return { dataDir, upload, blob: join(dataDir, "server/threads/thread_0/blobs", hash) };
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
