import { defaultLimits, Sandbox } from "@atoll/sandbox";
import { expect, it } from "vitest";
import { describeSandboxes, evaluate } from "../../../tests/support/lifecycle/sandbox-suite.ts";

await describeSandboxes("thread sandboxes", ({ dataDir, open }) => {
  it("concurrent wakes create one sandbox, which is hot from then on", async () => {
    const { sandboxes, changes } = open();
    expect(sandboxes.state("thread-a")).toBe("cold");
    const [first, second] = await Promise.all([
      sandboxes.wake("thread-a", {}),
      sandboxes.wake("thread-a", {}),
    ]);
    expect([first.from, first.isFresh]).toEqual(["new", true]);
    expect(second).toBe(first);
    const again = await sandboxes.wake("thread-a", {});
    expect([again.from, again.isFresh, sandboxes.state("thread-a")]).toEqual(["hot", false, "hot"]);
    expect(changes).toEqual(["thread-a: new → hot, used"]);
  });

  it("a hibernated sandbox keeps its files and the variables of every context, and reports the lost ones", async () => {
    const { sandboxes } = open();
    const { sandbox } = await sandboxes.wake("thread-b", {});
    await sandbox.python.run("kept = 42\nlog = open('/tmp/x', 'w')");
    await sandbox.python.createContext({ name: "other" });
    await sandbox.python.run("there = 1", { context: "other" });
    await sandbox.files.write("note.txt", "here");
    await sandboxes.hibernate("thread-b");
    expect(sandboxes.state("thread-b")).toBe("cold");

    const woken = await sandboxes.wake("thread-b", {});
    expect([woken.from, woken.isFresh, woken.variablesAt]).toEqual(["cold", false, undefined]);
    expect(woken.restored).toEqual(["kept", "other/there"]);
    expect(woken.lost.map(({ name }) => name)).toEqual(["log"]);
    expect(await evaluate(woken.sandbox, "kept")).toBe("42");
    expect((await woken.sandbox.python.run("there", { context: "other" })).results[0]?.text).toBe("1");
    expect(await woken.sandbox.files.readText("note.txt")).toBe("here");
  });

  it("any call through a sandbox handed out earlier wakes the thread, until it is removed", async () => {
    const { sandboxes, changes } = open();
    const { sandbox } = await sandboxes.wake("thread-use", { env: { GREETING: "hello" } });
    await sandbox.python.run("x = 1");
    await sandbox.files.write("file", "content");
    await sandboxes.hibernate("thread-use");
    expect(await sandbox.files.readText("file")).toBe("content");
    expect(sandboxes.state("thread-use")).toBe("hot");
    await sandboxes.hibernate("thread-use");
    expect(await evaluate(sandbox, "import os; x, os.environ['GREETING']")).toBe("(1, 'hello')");
    await sandboxes.hibernate("thread-use");
    const chunks: string[] = [];
    for await (const chunk of sandbox.files.readStream("file")) chunks.push(Buffer.from(chunk).toString());
    expect(chunks.join("")).toBe("content");
    expect(changes.filter((change) => change.endsWith("cold → hot, used"))).toHaveLength(3);
    await sandboxes.remove("thread-use");
    await expect(sandbox.files.readText("file")).rejects.toMatchObject({ code: "sandbox_dead" });
    expect((await Sandbox.list({ dataDir: dataDir() })).map(({ id }) => id)).not.toContain("thread-use");
  });

  it("a new server attaches to a live sandbox, and creates one that has ended again", async () => {
    const { sandboxes: before } = open();
    const { sandbox } = await before.wake("thread-c", {});
    await sandbox.python.run("x = 1");
    const { sandboxes: after, changes } = open();
    const adopted = await after.wake("thread-c", {});
    expect([adopted.from, adopted.isFresh]).toEqual(["hot", false]);
    expect(await evaluate(adopted.sandbox, "x")).toBe("1");

    await (await Sandbox.attach("thread-c", { dataDir: dataDir() })).destroy({ keepFiles: true });
    const anew = await after.wake("thread-c", {});
    expect([anew.from, anew.isFresh]).toEqual(["cold", true]);
    expect(changes).toContain("thread-c: hot → cold, died");
  });

  it("an idle sandbox is paused and then hibernates, but not while it is held, used, watched or busy", async () => {
    const { sandboxes, changes } = open({ warmAfterMs: 40, coldAfterMs: 400 });
    const become = async (id: string, state: string) => {
      await expect.poll(() => sandboxes.state(id), { interval: 5 }).toBe(state);
    };
    const release = sandboxes.keepAwake("thread-held");
    const wake = async (id: string) => (await sandboxes.wake(id, {})).sandbox;
    await wake("thread-held");
    const busy = await wake("thread-busy");
    const server = await busy.commands.spawn("cat", { stdin: true });
    const running = await wake("thread-running");
    const run = running.python.run("import os, time\nwhile not os.path.exists('go'): time.sleep(0.01)");
    const watched = await wake("thread-watched");
    const watching = new AbortController();
    const changed = watched.files.watch(".", { signal: watching.signal })[Symbol.asyncIterator]();
    const first = changed.next();
    await wake("thread-idle");
    // A shell that waits for its user does not keep its sandbox awake.
    await (await wake("thread-shell")).commands.spawn("cat", { stdin: true, keepsAwake: false });
    // Not by its state: on a slow machine it may be warm too briefly to be seen.
    await expect.poll(() => changes, { interval: 5 }).toContain("thread-idle: hot → warm, idle");
    await become("thread-idle", "cold");
    await become("thread-shell", "cold");
    for (const id of ["held", "busy", "running", "watched"])
      expect([id, sandboxes.state(`thread-${id}`)]).toEqual([id, "hot"]);
    release();
    await server.kill();
    await running.files.write("go", "");
    expect((await run).status).toBe("ok");
    watching.abort();
    await first;
    for (const id of ["held", "busy", "running", "watched"]) await become(`thread-${id}`, "cold");
    expect(changes.filter((change) => change.startsWith("thread-idle"))).toEqual([
      "thread-idle: new → hot, used",
      "thread-idle: hot → warm, idle",
      "thread-idle: warm → cold, idle",
    ]);
  });

  it("the least recently used sandboxes are evicted when there are too many", async () => {
    const { sandboxes, changes } = open({ maxHot: 2, maxWarm: 1 });
    for (const n of [1, 2, 3, 4]) await sandboxes.wake(`thread-many-${n}`, {});
    const states = () => [1, 2, 3, 4].map((n) => sandboxes.state(`thread-many-${n}`));
    await expect.poll(states).toEqual(["cold", "warm", "hot", "hot"]);
    expect(changes).toContain("thread-many-1: warm → cold, too_many_warm");
    expect((await sandboxes.wake("thread-many-2", {})).from).toBe("warm");
    await expect.poll(states).toEqual(["cold", "hot", "warm", "hot"]);
  });

  it("short memory evicts warm sandboxes first, and no more than needed", async () => {
    let availableBytes = 1000;
    const { sandboxes, changes } = open({
      maxHot: 1,
      minAvailableBytes: 100,
      availableBytes: async () => availableBytes,
      onStateChange: (id, { from, to, reason }) => {
        changes.push(`${id}: ${from} → ${to}, ${reason}`);
        if (to === "cold") availableBytes = 1000;
      },
    });
    await sandboxes.wake("thread-memory-1", {});
    await sandboxes.wake("thread-memory-2", {});
    await expect.poll(() => sandboxes.state("thread-memory-1")).toBe("warm");
    availableBytes = 10;
    await sandboxes.wake("thread-memory-3", {});
    await expect.poll(() => sandboxes.state("thread-memory-1")).toBe("cold");
    expect(changes).toContain("thread-memory-1: warm → cold, memory_short");
    expect(sandboxes.state("thread-memory-2")).not.toBe("cold");
  });

  it("a description does not wake the sandbox and estimates a wake by earlier ones", async () => {
    const { sandboxes } = open({ warmAfterMs: 30 });
    expect(await sandboxes.describe("thread-never")).toEqual({ state: "cold", limits: defaultLimits });
    const { sandbox } = await sandboxes.wake("thread-described", {});
    await sandbox.python.run("x = 1");
    const hot = await sandboxes.describe("thread-described");
    expect(hot).toMatchObject({ state: "hot", wakeEstimate: { ms: 0 }, since: expect.any(String) });
    expect(hot.metrics?.memoryBytes).toBeGreaterThan(0);
    await expect.poll(() => sandboxes.state("thread-described")).toBe("warm");
    const warm = await sandboxes.describe("thread-described");
    expect(warm.state).toBe("warm");
    expect(warm.metrics?.diskBytes).toBeGreaterThanOrEqual(0);
    expect(warm.wakeEstimate).toBeUndefined();
    const { wakeMs } = await sandboxes.wake("thread-described", {});
    await expect.poll(() => sandboxes.state("thread-described")).toBe("warm");
    expect((await sandboxes.describe("thread-described")).wakeEstimate).toEqual({ ms: wakeMs, basis: "own" });
    await sandboxes.hibernate("thread-described");
    const cold = await sandboxes.describe("thread-described");
    expect([cold.state, cold.metrics, cold.wakeEstimate]).toEqual(["cold", undefined, undefined]);
    expect(Date.parse(cold.since ?? "")).toBeGreaterThan(0);
  });

  it("a sandbox is removed with its files, also while it is cold; removing nothing succeeds", async () => {
    const { sandboxes } = open();
    const { sandbox } = await sandboxes.wake("thread-d", {});
    await sandbox.files.write("secret.txt", "x");
    await sandboxes.hibernate("thread-d");
    await sandboxes.remove("thread-d");
    await sandboxes.remove("thread-never");
    expect((await Sandbox.list({ dataDir: dataDir() })).map(({ id }) => id)).not.toContain("thread-d");
    expect((await sandboxes.wake("thread-d", {})).from).toBe("new");
  });
});
