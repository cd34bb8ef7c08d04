import { describe, expect, it, onTestFinished } from "vitest";
import { ManualClock } from "../../../../tests/support/lifecycle/manual-clock.ts";
import { type Answer, type Harness, echo, makeHarness, untilStopped } from "../threads/threads.harness.ts";
import { Sessions } from "./sessions.ts";

const ttlMs = 600_000;
const minuteMs = 60_000;

describe("a temporary thread", () => {
  it("ends with all it has when nobody has used it for its time, and not before", async () => {
    const { harness, sessions, clock, begin } = await makeSessions();
    const id = await begin();
    const hash = harness.store.blobs.put(id, Buffer.from("image"));
    const upload = await harness.store.uploads.receive("a.csv", bytes("a,b"), {
      maxBytes: 9,
      isTemporary: true,
    });
    await harness.store.threads.addFiles(id, [upload.fileId]);
    await harness.ask(id, "one");
    sessions.use(id)();
    await pass(clock, sessions, ttlMs - 1000);
    expect(harness.store.threads.get(id)).toBeDefined();
    await pass(clock, sessions, 1000);
    expect(harness.store.threads.get(id)).toBeUndefined();
    expect(harness.store.blobs.stat(id, hash)).toBeUndefined();
    expect(await harness.store.uploads.get(upload.fileId)).toBeUndefined();
    expect(harness.sandboxes.calls).toContain(`remove ${id}`);
    expect(sessions.hasEnded(id)).toBe(true);
  });

  it("is told from an id that was never given out, and from a thread that lasts", async () => {
    const { harness, sessions, begin } = await makeSessions();
    const id = await begin();
    expect(sessions.hasEnded(id)).toBe(false);
    await sessions.end(id);
    expect(sessions.hasEnded(id)).toBe(true);
    expect(sessions.hasEnded(`tmp${"0".repeat(36)}`)).toBe(false);
    expect(sessions.hasEnded("0123456789abcdef01234567")).toBe(false);
    expect(sessions.hasEnded(await harness.newThread())).toBe(false);
  });

  it("lives on with every use, and with each one that lasts", async () => {
    const { harness, sessions, clock, begin } = await makeSessions();
    const id = await begin();
    for (let turn = 0; turn < 5; turn += 1) {
      await pass(clock, sessions, ttlMs - minuteMs);
      sessions.use(id)();
    }
    const end = sessions.use(id);
    await pass(clock, sessions, 3 * ttlMs);
    expect(harness.store.threads.get(id)).toBeDefined();
    end();
    expect(sessions.expiresAtMs(id)).toBe(clock.now() + ttlMs);
    await pass(clock, sessions, ttlMs);
    expect(harness.store.threads.get(id)).toBeUndefined();
  });

  it("costs few writes, whatever is done with it", async () => {
    const { harness, sessions, clock, begin } = await makeSessions();
    const id = await begin();
    const stored = () => harness.store.threads.get(id)?.temporary?.expiresAtMs;
    const before = stored();
    for (let use = 0; use < 10; use += 1) {
      clock.advance(1000);
      sessions.use(id)();
    }
    expect(stored()).toBe(before);
    clock.advance(30_000);
    sessions.use(id)();
    expect(stored()).toBeGreaterThanOrEqual(clock.now() + ttlMs);
  });

  it("is not cut while it answers; its time counts from the end of the answer", async () => {
    const { harness, sessions, clock, begin } = await makeSessions(untilStopped);
    const id = await begin();
    const answer = harness.ask(id, "wait");
    await harness.waitFor(id, "token");
    await pass(clock, sessions, 2 * ttlMs);
    expect(harness.store.threads.get(id)).toBeDefined();
    await harness.runner.stop(id);
    await answer;
    await pass(clock, sessions, ttlMs - minuteMs);
    expect(harness.store.threads.get(id)).toBeDefined();
    await pass(clock, sessions, minuteMs);
    expect(harness.store.threads.get(id)).toBeUndefined();
  });

  it("keeps its end over a server's death, and ends if its time came meanwhile", async () => {
    const { harness, sessions, clock, begin } = await makeSessions();
    const [young, old] = [await begin(), await begin()];
    sessions.use(old)();
    clock.advance(ttlMs - minuteMs);
    sessions.use(young)();
    await sessions.close();
    clock.advance(2 * minuteMs);
    const next = openSessions(harness, clock);
    expect(next.hasEnded(old)).toBe(true);
    await next.expiry.start();
    expect(harness.store.threads.get(old)).toBeUndefined();
    expect(harness.store.threads.get(young)).toBeDefined();
    await pass(clock, next, ttlMs);
    expect(harness.store.threads.get(young)).toBeUndefined();
  });

  it("that another thread shares a file with leaves it that file", async () => {
    const { harness, sessions, begin } = await makeSessions();
    const shared = await harness.store.uploads.receive("a.csv", bytes("a"), { maxBytes: 9 });
    const own = await harness.store.uploads.receive("b.csv", bytes("b"), { maxBytes: 9 });
    const id = await begin();
    await harness.store.threads.addFiles(id, [shared.fileId, own.fileId]);
    await harness.store.threads.addFiles(await harness.newThread(), [shared.fileId]);
    await sessions.end(id);
    expect(await harness.store.uploads.get(shared.fileId)).toBeDefined();
    expect(await harness.store.uploads.get(own.fileId)).toBeUndefined();
  });
});

describe("a clock on the wall that is set", () => {
  it("forward ends nothing that is in time", async () => {
    const { harness, sessions, clock, begin } = await makeSessions();
    const id = await begin();
    sessions.use(id)();
    clock.jump(24 * 60 * minuteMs);
    await pass(clock, sessions, ttlMs - minuteMs);
    expect(harness.store.threads.get(id)).toBeDefined();
    await pass(clock, sessions, minuteMs);
    expect(harness.store.threads.get(id)).toBeUndefined();
  });

  it("forward ends nothing that was left in time by the server before, nor its fresh uploads", async () => {
    const { harness, sessions, clock } = await makeSessions();
    await sessions.close();
    // What is uploaded is dated by the system's clock.
    clock.jump(Date.now() - clock.now());
    const next = openSessions(harness, clock);
    const { id } = await harness.store.threads.create({ ...next.begin(), fileIds: [] });
    const receive = { maxBytes: 9, isTemporary: true };
    const { fileId } = await harness.store.uploads.receive("a.csv", bytes("a"), receive);
    clock.jump(40 * 24 * 60 * minuteMs);
    await next.expiry.start();
    expect(harness.store.threads.get(id)).toBeDefined();
    expect(await harness.store.uploads.get(fileId)).toBeDefined();
  });

  it("back keeps nothing alive, neither here nor for the next server", async () => {
    const { harness, sessions, clock, begin } = await makeSessions();
    const [here, left] = [await begin(), await begin()];
    sessions.use(here)();
    clock.jump(-24 * 60 * minuteMs);
    await pass(clock, sessions, ttlMs);
    expect(harness.store.threads.get(here)).toBeUndefined();
    sessions.use(left)();
    await sessions.close();
    clock.jump(-24 * 60 * minuteMs);
    const next = openSessions(harness, clock);
    await next.expiry.start();
    expect(harness.store.threads.get(left)).toBeDefined();
    await pass(clock, next, 2 * ttlMs);
    expect(harness.store.threads.get(left)).toBeUndefined();
  });
});

describe("whoever leaves", () => {
  it("ends the thread after a while", async () => {
    const { harness, sessions, clock, begin } = await makeSessions();
    const id = await begin();
    const closing = sessions.use(id);
    await sessions.leave(id);
    // The connection of the page that is gone ends a moment later.
    closing();
    await pass(clock, sessions, 29_000);
    expect(harness.store.threads.get(id)).toBeDefined();
    await pass(clock, sessions, 2000);
    expect(harness.store.threads.get(id)).toBeUndefined();
  });

  it("and comes back at once, as with a reload, keeps it", async () => {
    const { harness, sessions, clock, begin } = await makeSessions();
    const id = await begin();
    await sessions.leave(id);
    await pass(clock, sessions, 20_000);
    sessions.use(id)();
    await pass(clock, sessions, ttlMs - minuteMs);
    expect(harness.store.threads.get(id)).toBeDefined();
  });

  it("is not waited for by a page that is still there, nor by a run", async () => {
    const { harness, sessions, clock, begin } = await makeSessions(untilStopped);
    const [read, answering] = [await begin(), await begin()];
    const answer = harness.ask(answering, "wait");
    await harness.waitFor(answering, "token");
    const reading = sessions.use(read);
    await Promise.all([sessions.leave(read), sessions.leave(answering)]);
    await pass(clock, sessions, 2 * minuteMs);
    expect(harness.store.threads.get(read)).toBeDefined();
    expect(harness.store.threads.get(answering)).toBeDefined();
    reading();
    await harness.runner.stop(answering);
    await answer;
    await pass(clock, sessions, minuteMs);
    expect(harness.store.threads.get(read)).toBeUndefined();
    expect(harness.store.threads.get(answering)).toBeUndefined();
  });
});

describe("a session that a client has named", () => {
  it("is made by its first use, and made anew when it has ended", async () => {
    const { harness, sessions, clock } = await makeSessions();
    const [one, same] = await Promise.all([sessions.open("my-session"), sessions.open("my-session")]);
    expect(one.id).toBe(same.id);
    expect(one.temporary).toMatchObject({ ttlMs, maxBytes: 1000 });
    expect((await sessions.open("other-session")).id).not.toBe(one.id);
    await harness.ask(one.id, "hello");
    clock.advance(2 * ttlMs);
    const again = await sessions.open("my-session");
    expect([again.id, again.messageCount]).toEqual([one.id, 0]);
  });

  it("that is just ending is waited for", async () => {
    const { harness, sessions } = await makeSessions();
    const { id } = await sessions.open("my-session");
    await harness.ask(id, "hello");
    const [ended, opened] = await Promise.all([sessions.end(id), sessions.open("my-session")]);
    expect([ended, opened.messageCount]).toEqual([true, 0]);
  });
});

describe("uploads for sessions", () => {
  it("go when nobody has taken them for the time of a session", async () => {
    const { harness, sessions, clock, begin } = await makeSessions();
    const receive = (isTemporary: boolean) =>
      harness.store.uploads.receive("a.csv", bytes("a"), { maxBytes: 9, isTemporary });
    const [stray, taken, lasting] = [await receive(true), await receive(true), await receive(false)];
    const id = await begin();
    await harness.store.threads.addFiles(id, [taken.fileId]);
    const held = sessions.use(id);
    // What is uploaded is dated by the system's clock.
    clock.jump(Date.now() - clock.now());
    await pass(clock, sessions, ttlMs + minuteMs);
    const found = await Promise.all(
      [stray, taken, lasting].map(({ fileId }) => harness.store.uploads.get(fileId)),
    );
    expect(found.map((file) => file !== undefined)).toEqual([false, true, true]);
    held();
  });
});

async function makeSessions(answer: Answer = echo) {
  const clock = new ManualClock();
  const harness: Harness = await makeHarness(onTestFinished, answer, {
    useThread: (threadId) => sessions.use(threadId),
    lastStatus: async (threadId) => sessions.forRunner().lastStatus?.(threadId),
  });
  const sessions: Sessions = openSessions(harness, clock);
  await sessions.expiry.start();
  const begin = async () => (await harness.store.threads.create({ ...sessions.begin(), fileIds: [] })).id;
  return { harness, sessions, clock, begin };
}

function openSessions(harness: Harness, clock: ManualClock): Sessions {
  const sessions = new Sessions({
    store: harness.store,
    runner: () => harness.runner,
    sandboxes: { state: () => "cold", describe: () => expect.unreachable(), keepAwake: () => () => {} },
    ttlMs,
    maxBytes: 1000,
    leaveMs: 30_000,
    clock,
    onProblem: (_, error) => expect.unreachable(String(error)),
  });
  onTestFinished(() => sessions.close());
  return sessions;
}

/** In steps, so that what is set off in one is done before the next. */
async function pass(clock: ManualClock, sessions: Sessions, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 15_000) {
    clock.advance(Math.min(left, 15_000));
    await sessions.expiry.look();
  }
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
