import type { DataProfile } from "@atoll/protocol";
import { AtollError } from "@atoll/sandbox";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Answer, type Harness, echo, makeHarness, outcome, untilStopped } from "./threads.harness.ts";

describe("preparing a thread", () => {
  it("loads its files once, also when a run starts at the same time", async () => {
    const harness = await makeHarness(onTestFinished, async (request) => {
      await request.wake();
      return outcome(JSON.stringify(request.data.others.map(({ name }) => name)));
    });
    const threadId = await harness.newThread();
    const [prepared, done] = await Promise.all([
      harness.runner.prepare(threadId),
      harness.ask(threadId, "one"),
    ]);
    expect(prepared).toEqual({ wakeMs: 1.4 });
    expect(done.response).toBe('["transactions.csv"]');
    await harness.ask(threadId, "two");
    expect(harness.sandboxes.calls.filter((call) => call.startsWith("load"))).toHaveLength(1);
    expect(harness.types(threadId).filter((type) => type === "data")).toHaveLength(1);
  });

  it("shows files that come while it is under way, when it is asked again for them", async () => {
    const harness = await makeHarness(onTestFinished, echo);
    const threadId = await harness.newThread();
    const gate = Promise.withResolvers<void>();
    harness.sandboxes.gate = gate.promise;
    const first = harness.runner.prepare(threadId);
    await expect.poll(() => harness.sandboxes.calls).toContain(`wake ${threadId}`);
    await harness.store.threads.addFiles(threadId, [await upload(harness, "late.csv")]);
    const second = harness.runner.prepare(threadId);
    gate.resolve();
    await Promise.all([first, second]);
    const [data] = harness.store.log.read(threadId, { types: ["data"], last: 1 });
    expect(data?.type === "data" ? data.data.others.map(({ name }) => name) : []).toEqual(["late.csv"]);
  });

  it("starts no more than 32 sandboxes at a time, however many are asked for, and all of them in the end", async () => {
    const harness = await makeHarness(onTestFinished, echo);
    const threads = await Promise.all(Array.from({ length: 50 }, () => harness.newThread()));
    const gate = Promise.withResolvers<void>();
    harness.sandboxes.gate = gate.promise;
    const started = () => harness.sandboxes.calls.filter((call) => call.startsWith("wake ")).length;
    const prepared = threads.map((threadId) => harness.runner.prepare(threadId));
    await expect.poll(started).toBeGreaterThanOrEqual(32);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(started()).toBe(32);
    gate.resolve();
    await Promise.all(prepared);
    expect(started()).toBe(50);
  });

  it("shows the thread's own files under names of their own", async () => {
    const harness = await makeHarness(onTestFinished, echo);
    const fileIds = await Promise.all(
      ["a.csv", "outputs", "a.csv", "constructor"].map((name) => upload(harness, name)),
    );
    await harness.store.threads.create({ id: "thread_f", fileIds });
    await harness.runner.prepare("thread_f");
    const [data] = harness.store.log.read("thread_f", { types: ["data"] });
    const names = data?.type === "data" ? data.data.others.map(({ name }) => name) : [];
    expect(names).toEqual(["a.csv", "outputs (2)", "a (2).csv", "constructor (2)"]);
  });

  it("loads the tables again into a kernel that has lost everything, without a second profile", async () => {
    const harness = await makeHarness(onTestFinished, async (request) =>
      outcome((await request.wake()).state),
    );
    const threadId = await harness.newThread();
    await harness.ask(threadId, "one");
    harness.sandboxes.living.clear();
    expect(await harness.ask(threadId, "two")).toMatchObject({ response: "new→hot (1ms)" });
    expect(harness.sandboxes.calls.filter((call) => call.startsWith("load"))).toHaveLength(2);
    expect(harness.types(threadId).filter((type) => type === "data")).toHaveLength(1);
  });

  it("appends no second profile for a field that is undefined in one and absent in the stored one", async () => {
    const file = { file: "/data/transactions.csv", name: "transactions.csv", size_bytes: 1 };
    const loadTables = async () => ({ tables: [], others: [{ ...file, problem: undefined }] });
    const before = await makeHarness(onTestFinished, echo, { loadTables });
    const threadId = await before.newThread();
    await before.runner.prepare(threadId);
    // Another runner, as after a restart: it knows the profile from the log only.
    const after = await makeHarness(onTestFinished, echo, { loadTables, store: before.store });
    await after.runner.prepare(threadId);
    expect(after.types(threadId).filter((type) => type === "data")).toHaveLength(1);
  });

  it("loads the tables again when a run has ended the kernel", async () => {
    const harness = await makeHarness(onTestFinished, async (request) => {
      const { sandbox } = await request.wake();
      await sandbox.python.run(request.message);
      return outcome("done");
    });
    const threadId = await harness.newThread();
    harness.sandboxes.python.run = async (code) => ({ kernelRestarted: code === "crash" });
    for (const message of ["fine", "crash", "fine", "fine"]) await harness.ask(threadId, message);
    expect(harness.sandboxes.calls.filter((call) => call.startsWith("load"))).toHaveLength(2);
    expect(harness.types(threadId).filter((type) => type === "data")).toHaveLength(1);
  });

  it("holds up nobody who interrupts or restarts the kernel; what the old one could not read is read again", async () => {
    const loads: PromiseWithResolvers<DataProfile>[] = [];
    const loadTables = () => {
      loads.push(Promise.withResolvers());
      return loads.at(-1)?.promise ?? expect.fail();
    };
    const harness = await makeHarness(onTestFinished, echo, { loadTables });
    const threadId = await harness.newThread();
    const prepared = harness.runner.prepare(threadId);
    await expect.poll(() => loads).toHaveLength(1);
    expect(await harness.runner.interruptKernel(threadId)).toBe(true);

    const restarted = Promise.withResolvers<void>();
    harness.sandboxes.python.restart = async () => restarted.resolve();
    const restart = harness.runner.restartKernel(threadId);
    await restarted.promise;
    loads[0]?.resolve({
      tables: [],
      others: [{ file: "/data/a.csv", name: "a.csv", size_bytes: 1, problem: "killed" }],
    });
    await expect.poll(() => loads).toHaveLength(2);
    loads[1]?.resolve({ tables: [], others: [] });
    await Promise.all([restart, prepared]);
    expect(loads).toHaveLength(2);
    expect(harness.store.log.read(threadId, { types: ["data"] })).toMatchObject([{ data: { others: [] } }]);
  });

  it("is shared by all that ask for files while one is under way, so that none waits for a chain", async () => {
    const harness = await makeHarness(onTestFinished, echo);
    const threadId = await harness.newThread();
    const gate = Promise.withResolvers<void>();
    harness.sandboxes.gate = gate.promise;
    const first = harness.runner.prepare(threadId);
    const others = Array.from({ length: 12 }, async (_, number) => {
      await harness.store.threads.addFiles(threadId, [await upload(harness, `${number}.csv`)]);
      return harness.runner.prepare(threadId);
    });
    await expect.poll(async () => (await harness.store.uploads.ofThread(threadId)).length).toBe(12);
    gate.resolve();
    expect(await Promise.all([first, ...others])).not.toContain(undefined);
    expect(harness.sandboxes.calls.filter((call) => call.startsWith("load")).length).toBeLessThanOrEqual(2);
    expect(await harness.runner.hasReadFiles(threadId)).toBe(true);
  });

  it("loads only files that are new, and all of them into a new kernel", async () => {
    const loads: (readonly string[] | undefined)[] = [];
    const harness = await makeHarness(onTestFinished, echo, {
      loadTables: async (sandbox, { order, known }) => {
        loads.push(known?.others.map(({ name }) => name));
        return harness.sandboxes.loadTables(sandbox, order);
      },
    });
    const threadId = await harness.newThread();
    for (const name of ["one.csv", "two.csv", "three.csv"]) {
      await harness.store.threads.addFiles(threadId, [await upload(harness, name)]);
      await harness.runner.prepare(threadId);
      // Its variables come back with it.
      harness.sandboxes.isFresh = false;
    }
    expect(loads).toEqual([undefined, ["one.csv"], ["one.csv", "two.csv"]]);
    await harness.runner.restartKernel(threadId);
    expect(loads.slice(3)).toEqual([undefined]);
  });

  it("lets a restart of the kernel join it instead of waiting for another", async () => {
    const harness = await makeHarness(onTestFinished, echo);
    const threadId = await harness.newThread();
    await harness.runner.prepare(threadId);
    const loaded = Promise.withResolvers<void>();
    const loading = Promise.withResolvers<void>();
    const { sandboxes } = harness;
    const load = sandboxes.loadTables.bind(sandboxes);
    sandboxes.loadTables = async (sandbox, order) => {
      loading.resolve();
      await loaded.promise;
      return load(sandbox, order);
    };
    await harness.store.threads.addFiles(threadId, [await upload(harness, "new.csv")]);
    const prepared = harness.runner.prepare(threadId);
    await loading.promise;
    const restarted = harness.runner.restartKernel(threadId);
    loaded.resolve();
    await Promise.all([prepared, restarted]);
    // The first load went into the kernel that has ended.
    expect(sandboxes.calls.filter((call) => call.startsWith("load"))).toHaveLength(3);
  });

  it("makes the sandbox anew when files came, and not under a run at work", async () => {
    const harness = await makeHarness(onTestFinished, (request) =>
      request.message === "long" ? untilStopped(request) : echo(request),
    );
    const threadId = await harness.newThread();
    await harness.ask(threadId, "one");
    const long = harness.ask(threadId, "long");
    await expect.poll(() => harness.runner.activity(threadId).runId).toBeDefined();
    await expect.poll(() => harness.types(threadId).filter((type) => type === "token")).toHaveLength(2);
    await harness.store.threads.addFiles(threadId, [await upload(harness, "new.csv")]);
    await harness.runner.prepare(threadId);
    expect(harness.sandboxes.calls).not.toContain(`rest ${threadId}`);
    await harness.runner.stop(threadId);
    await long;
    await expect.poll(() => harness.types(threadId).filter((type) => type === "data")).toHaveLength(2);
    expect(harness.sandboxes.calls).toContain(`rest ${threadId}`);
    expect(harness.sandboxes.living.get(threadId)).toEqual(["new.csv"]);
  });
});

describe("a sandbox that cannot be had", () => {
  const unavailable = new AtollError("runtime_unavailable", "bubblewrap is not installed");

  it("is an event when a thread is prepared and an error of the run, and can be had later", async () => {
    const harness = await makeHarness(onTestFinished, echo);
    harness.sandboxes.failure = unavailable;
    const threadId = await harness.newThread();
    expect(await harness.runner.prepare(threadId)).toBeUndefined();
    expect(await harness.ask(threadId, "one")).toMatchObject({ status: "failed" });
    expect(harness.types(threadId)).toEqual(["error", "message", "run_started", "status", "error", "done"]);
    for (const error of harness.store.log.read(threadId, { types: ["error"] })) {
      expect(error).toMatchObject({ code: "runtime_unavailable", message: "bubblewrap is not installed" });
    }
    harness.sandboxes.failure = undefined;
    expect(await harness.ask(threadId, "two")).toMatchObject({ status: "completed" });
  });

  it("fails the wake of an agent that asks for it, not the process when it does not", async () => {
    const asks: Answer = async (request) => {
      void request.wake();
      await new Promise((resolve) => setImmediate(resolve));
      if (request.message === "ask") await request.wake();
      return outcome("without");
    };
    const harness = await makeHarness(onTestFinished, asks);
    const threadId = await harness.newThread();
    await harness.runner.prepare(threadId);
    harness.sandboxes.failure = unavailable;
    expect(await harness.ask(threadId, "do not ask")).toMatchObject({ status: "completed" });
    expect(await harness.ask(threadId, "ask")).toMatchObject({ status: "failed" });
    expect(harness.store.log.read(threadId, { types: ["error"] })).toMatchObject([
      { code: "runtime_unavailable" },
    ]);
  });

  it("whose tables could not be loaded loads them the next time", async () => {
    const harness = await makeHarness(onTestFinished, echo);
    harness.sandboxes.loadFailure = new AtollError("sandbox_dead", "the sandbox has ended");
    const threadId = await harness.newThread();
    await harness.runner.prepare(threadId);
    harness.sandboxes.loadFailure = undefined;
    expect(await harness.ask(threadId, "one")).toMatchObject({ status: "completed" });
    expect(harness.types(threadId)).toContain("data");
  });

  it("whose tables could not be loaded again still has to load them", async () => {
    const harness = await makeHarness(onTestFinished, async (request) =>
      outcome((await request.wake()).state),
    );
    const threadId = await harness.newThread();
    await harness.ask(threadId, "one");
    harness.sandboxes.living.clear();
    harness.sandboxes.loadFailure = new AtollError("sandbox_dead", "the sandbox has ended");
    expect(await harness.ask(threadId, "two")).toMatchObject({ status: "failed" });
    harness.sandboxes.loadFailure = undefined;
    expect(await harness.ask(threadId, "three")).toMatchObject({ status: "completed" });
    expect(harness.sandboxes.calls.filter((call) => call.startsWith("load"))).toHaveLength(3);
  });

  it("is not asked for when a file of the thread is gone", async () => {
    const harness = await makeHarness(onTestFinished, echo);
    const fileId = await upload(harness, "a.csv");
    await harness.store.threads.create({ id: "thread_f", fileIds: [fileId] });
    const { rmSync } = await import("node:fs");
    rmSync(harness.store.uploads.hostPath(fileId));
    expect(await harness.ask("thread_f", "one")).toMatchObject({ status: "failed" });
    const [error] = harness.store.log.read("thread_f", { types: ["error"] });
    expect(error).toMatchObject({
      code: "not_found",
      message: 'The file "a.csv" is no longer on the server.',
    });
    expect(JSON.stringify(error)).not.toContain(harness.dataDir);
  });
});

async function upload(harness: Harness, name: string): Promise<string> {
  async function* content() {
    yield Buffer.from("a,b\n1,2\n");
  }
  return (await harness.store.uploads.receive(name, content(), { maxBytes: 1000 })).fileId;
}
