import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGate, reply, text, waitFor } from "../support/scripted-openai/index.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { ThreadUser } from "../support/thread-user.ts";
import { countMetric, LifecycleBench, run, stateOf } from "./lifecycle/bench.ts";

/** On a loaded machine a second may take several. */
const patience = { interval: 100 };

let bench: LifecycleBench;
beforeAll(async () => {
  bench = await LifecycleBench.create("lifecycle");
});
afterAll(() => bench[Symbol.asyncDispose]());

describe("a thread's sandbox", () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await bench.start({ ATOLL_WARM_AFTER_S: "1", ATOLL_COLD_AFTER_S: "2" });
  });
  afterAll(() => server.stop());

  it("goes warm and cold by policy, never under a run, and answers after it with its variables", async () => {
    const [idle, busy] = [await ThreadUser.create(server.url), await ThreadUser.create(server.url)];
    await run(idle, "rates = {'EUR': 1.1}; log = open('/tmp/log', 'w'); open('kept.txt', 'w').write('kept')");
    const gate = createGate();
    bench.models.script(reply(text("Thinking"), waitFor(gate)));
    const thinking = await busy.send("take your time");
    await thinking.untilText("Thinking");
    // A model may begin before the sandbox is there.
    await expect.poll(() => stateOf(busy), patience).toBe("hot");
    const { sandbox_since: hotSince } = await busy.client.threads.status(busy.threadId);

    await expect.poll(() => stateOf(idle), patience).toBe("cold");
    const frozen = await countMetric(server.url, "atoll_sandbox_changes_total", 'to="warm",reason="idle"');
    expect(frozen).toBeGreaterThanOrEqual(1);
    const hot = await busy.client.threads.status(busy.threadId);
    // The same as before: it was never frozen meanwhile.
    expect(hot.sandbox_since).toBe(hotSince);
    expect(hot).toMatchObject({ sandbox_status: "hot", wake: { estimated_ms: 0, basis: "own" } });
    expect(hot.metrics).toMatchObject({ memory_bytes: expect.any(Number), disk_bytes: expect.any(Number) });
    const cold = await idle.client.threads.status(idle.threadId);
    expect(cold).toMatchObject({ sandbox_since: expect.any(String), last_used_at: expect.any(String) });
    expect(cold.limits["memory_bytes"]).toBeGreaterThan(0);
    expect(cold.metrics).toBeUndefined();

    const back = await idle.ask("print(rates, open('kept.txt').read(), len(df))");
    expect(back.container_state).toMatch(/^cold→hot/);
    expect(back.code_runs[0]?.output).toContain("{'EUR': 1.1} kept 6218");
    // What came back and what was lost: the model hears it, the user reads it.
    expect(bench.models.requests.at(-1)?.body.messages.at(-1)?.content).toMatch(
      /back: .*rates.*lost.*log \(/,
    );
    const { notices } = await idle.client.threads.history(idle.threadId);
    expect(notices).toMatchObject([
      { run_id: back.run_id, restored: expect.arrayContaining(["rates", "df"]), lost: [{ name: "log" }] },
    ]);

    gate.open();
    await thinking.until("done");
    await expect.poll(() => stateOf(busy), patience).toBe("cold");
    const other = await busy.client.threads.status(busy.threadId);
    expect(other.wake).toMatchObject({ basis: "others", estimated_ms: expect.any(Number) });
  });

  it("is listed for the operator, with what is going to happen to it", async () => {
    const user = await ThreadUser.create(server.url);
    await run(user, "x = 1");
    const { sandboxes, counts } = await user.client.operator.sandboxes();
    expect(sandboxes).toContainEqual(
      expect.objectContaining({ thread_id: user.threadId, metrics: expect.anything() }),
    );
    expect(counts.hot + counts.warm).toBe(sandboxes.length);
    await expect.poll(() => stateOf(user), patience).toBe("cold");
    const { jobs } = await user.client.operator.jobs();
    expect(jobs).toContainEqual(
      expect.objectContaining({ thread_id: user.threadId, kind: "delete", state: "waiting" }),
    );
    expect(await user.client.operator.reviveJob(user.threadId, "delete")).toBe(false);
  });
});

describe("a thread", () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await bench.start();
  });
  afterAll(() => server.stop());

  it("keeps files that were written after a restore through the next rests", async () => {
    const user = await ThreadUser.create(server.url);
    await run(user, "seen = []");
    for (let cycle = 0; cycle < 5; cycle += 1) {
      const said = await run(
        user,
        `seen.append(${cycle}); open('file-${cycle}', 'w').write('${cycle}'); print(seen)`,
      );
      expect(said).toBe(JSON.stringify(Array.from({ length: cycle + 1 }, (_, n) => n)).replaceAll(",", ", "));
      expect(await user.client.threads.suspend(user.threadId)).toMatchObject({ sandbox_status: "cold" });
    }
    expect(await run(user, "print(*[open(f'file-{n}').read() for n in seen])")).toBe("0 1 2 3 4");
  });

  it("that is cold is woken by whatever looks at its files, and by a request to wake", async () => {
    const user = await ThreadUser.create(server.url);
    await run(user, "x = 'still here'; open('a.txt', 'w').write('A')");
    const files = user.client.threads.files(user.threadId);
    const uses: Record<string, () => Promise<unknown>> = {
      list: () => files.list(),
      read: async () => expect(await files.readText("a.txt")).toBe("A"),
      range: async () =>
        expect((await files.open("a.txt", { range: { start: 0, end: 0 } })).status).toBe(206),
      head: async () => expect((await fetch(files.url("a.txt"), { method: "HEAD" })).status).toBe(200),
      zip: async () => expect((await (await files.zip()).arrayBuffer()).byteLength).toBeGreaterThan(20),
      write: () => files.write("b.txt", "B"),
      upload: () => files.upload([{ name: "c.txt", content: "C" }]),
      move: () => files.move("b.txt", "d.txt"),
      remove: () => files.remove("d.txt"),
      wake: () => user.client.threads.wake(user.threadId),
    };
    for (const [name, use] of Object.entries(uses)) {
      await user.client.threads.suspend(user.threadId);
      expect([name, await stateOf(user)]).toEqual([name, "cold"]);
      await use();
      expect([name, await stateOf(user)]).toEqual([name, "hot"]);
    }
    expect(await run(user, "import os; print(x, sorted(os.listdir('.')))")).toBe(
      "still here ['a.txt', 'c.txt']",
    );
  });

  it("does not rest while it answers, and says so", async () => {
    const user = await ThreadUser.create(server.url);
    const gate = createGate();
    bench.models.script(reply(text("Busy"), waitFor(gate)));
    const answering = await user.send("work");
    await answering.untilText("Busy");
    await expect(user.client.threads.suspend(user.threadId)).rejects.toMatchObject({
      status: 409,
      code: "busy",
    });
    gate.open();
    await answering.until("done");
  });

  it("with the built-in analyst answers alike before and after a rest", async () => {
    const user = await ThreadUser.create(server.url, { model: "built-in" });
    const question = "What are the top 5 categories by spend?";
    const before = await user.ask(question);
    await user.client.threads.suspend(user.threadId);
    const after = await user.ask(question);
    expect(after).toMatchObject({ status: "completed", response: before.response });
    expect(after.container_state).toMatch(/^cold→hot/);
  });
});

describe("a server that is killed", () => {
  it("finds cold, warm and hot sandboxes as they were, also one whose checkpoint it was taking", async () => {
    const env = { ATOLL_WARM_AFTER_S: "1", ATOLL_COLD_AFTER_S: "3600" };
    let server = await bench.start(env);
    const names = ["cold", "warm", "hot", "recording"] as const;
    const users = {} as Record<(typeof names)[number], ThreadUser>;
    for (const name of names) users[name] = await ThreadUser.create(server.url);
    for (const name of names)
      await run(users[name], `name = '${name}'; open('name', 'w').write(name); import numpy`);
    await users.cold.client.threads.suspend(users.cold.threadId);
    await expect.poll(() => stateOf(users.warm), patience).toBe("warm");
    await run(users.hot, "print(name)");
    // A checkpoint is taken after its answer.
    await expect
      .poll(() => countMetric(server.url, "atoll_checkpoints_total", "taken"), patience)
      .toBeGreaterThanOrEqual(4);
    const large =
      "large = [numpy.random.default_rng(n).bytes(1_000_000) for n in range(60)]; later = 'later'";
    const recording = await users.recording.send(large);
    await recording.until("done");
    await server.kill();

    server = await bench.start(env);
    for (const name of names) users[name].moveTo(server.url);
    await expect.poll(() => stateOf(users.warm), patience).toBe("warm");
    expect(await stateOf(users.cold)).toBe("cold");
    for (const name of names)
      expect(await run(users[name], "print(name, open('name').read(), len(df))")).toBe(
        `${name} ${name} 6218`,
      );
    expect(await run(users.recording, "print(len(large), later)")).toBe("60 later");
    const { messages } = await users.recording.client.threads.history(users.recording.threadId);
    const first = await users.recording.client.threads.branch(users.recording.threadId, {
      message_id: messages[0]?.message_id ?? "",
    });
    expect(first).toMatchObject({ is_exact: true, lost: [] });
    const branch = new ThreadUser(server.url, first.thread_id);
    expect(await run(branch, "print(name, 'large' in globals())")).toBe("recording False");
    await server.stop();
  });
});
