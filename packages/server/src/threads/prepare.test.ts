import type { DataProfile } from "@atoll/agent";
import { AtollError } from "@atoll/sandbox";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Answer, type Bench, echo, makeBench, outcome, untilStopped } from "./threads.harness.ts";

describe("preparing a thread", () => {
  it("loads its files once, also when a run starts at the same time", async () => {
    const bench = await makeBench(onTestFinished, async (request) => {
      await request.wake();
      return outcome(JSON.stringify(request.data.others.map(({ name }) => name)));
    });
    const threadId = await bench.newThread();
    const [prepared, done] = await Promise.all([bench.runner.prepare(threadId), bench.ask(threadId, "one")]);
    expect(prepared).toEqual({ wakeMs: 1.4 });
    expect(done.response).toBe('["transactions.csv"]');
    await bench.ask(threadId, "two");
    expect(bench.sandboxes.calls.filter((call) => call.startsWith("load"))).toHaveLength(1);
    expect(bench.types(threadId).filter((type) => type === "data")).toHaveLength(1);
  });

  it("shows files that come while it is under way, when it is asked again for them", async () => {
    const bench = await makeBench(onTestFinished, echo);
    const threadId = await bench.newThread();
    const gate = Promise.withResolvers<void>();
    bench.sandboxes.gate = gate.promise;
    const first = bench.runner.prepare(threadId);
    await expect.poll(() => bench.sandboxes.calls).toContain(`wake ${threadId}`);
    await bench.store.threads.addFiles(threadId, [await upload(bench, "late.csv")]);
    const second = bench.runner.prepare(threadId);
    gate.resolve();
    await Promise.all([first, second]);
    const [data] = bench.store.log.read(threadId, { types: ["data"], last: 1 });
    expect(data?.type === "data" ? data.data.others.map(({ name }) => name) : []).toEqual(["late.csv"]);
  });

  it("shows the thread's own files under names of their own", async () => {
    const bench = await makeBench(onTestFinished, echo);
    const fileIds = await Promise.all(
      ["a.csv", "outputs", "a.csv", "constructor"].map((name) => upload(bench, name)),
    );
    await bench.store.threads.create({ id: "thread_f", fileIds });
    await bench.runner.prepare("thread_f");
    const [data] = bench.store.log.read("thread_f", { types: ["data"] });
    const names = data?.type === "data" ? data.data.others.map(({ name }) => name) : [];
    expect(names).toEqual(["a.csv", "outputs (2)", "a (2).csv", "constructor (2)"]);
  });

  it("loads the tables again into a kernel that has lost everything, without a second profile", async () => {
    const bench = await makeBench(onTestFinished, async (request) => outcome((await request.wake()).state));
    const threadId = await bench.newThread();
    await bench.ask(threadId, "one");
    bench.sandboxes.living.clear();
    expect(await bench.ask(threadId, "two")).toMatchObject({ response: "new→hot (1ms)" });
    expect(bench.sandboxes.calls.filter((call) => call.startsWith("load"))).toHaveLength(2);
    expect(bench.types(threadId).filter((type) => type === "data")).toHaveLength(1);
  });

  it("appends no second profile for a field that is undefined in one and absent in the stored one", async () => {
    const file = { file: "/data/transactions.csv", name: "transactions.csv", size_bytes: 1 };
    const loadTables = async () => ({ tables: [], others: [{ ...file, problem: undefined }] });
    const before = await makeBench(onTestFinished, echo, { loadTables });
    const threadId = await before.newThread();
    await before.runner.prepare(threadId);
    // Another runner, as after a restart: it knows the profile from the log only.
    const after = await makeBench(onTestFinished, echo, { loadTables, store: before.store });
    await after.runner.prepare(threadId);
    expect(after.types(threadId).filter((type) => type === "data")).toHaveLength(1);
  });

  it("loads the tables again when a run has ended the kernel", async () => {
    const bench = await makeBench(onTestFinished, async (request) => {
      const { sandbox } = await request.wake();
      await sandbox.python.run(request.message);
      return outcome("done");
    });
    const threadId = await bench.newThread();
    bench.sandboxes.python.run = async (code) => ({ kernelRestarted: code === "crash" });
    for (const message of ["fine", "crash", "fine", "fine"]) await bench.ask(threadId, message);
    expect(bench.sandboxes.calls.filter((call) => call.startsWith("load"))).toHaveLength(2);
    expect(bench.types(threadId).filter((type) => type === "data")).toHaveLength(1);
  });

  it("holds up nobody who interrupts or restarts the kernel; what the old one could not read is read again", async () => {
    const loads: PromiseWithResolvers<DataProfile>[] = [];
    const loadTables = () => {
      loads.push(Promise.withResolvers());
      return loads.at(-1)?.promise ?? expect.fail();
    };
    const bench = await makeBench(onTestFinished, echo, { loadTables });
    const threadId = await bench.newThread();
    const prepared = bench.runner.prepare(threadId);
    await expect.poll(() => loads).toHaveLength(1);
    expect(await bench.runner.interruptKernel(threadId)).toBe(true);

    const restarted = Promise.withResolvers<void>();
    bench.sandboxes.python.restart = async () => restarted.resolve();
    const restart = bench.runner.restartKernel(threadId);
    await restarted.promise;
    loads[0]?.resolve({
      tables: [],
      others: [{ file: "/data/a.csv", name: "a.csv", size_bytes: 1, problem: "killed" }],
    });
    await expect.poll(() => loads).toHaveLength(2);
    loads[1]?.resolve({ tables: [], others: [] });
    await Promise.all([restart, prepared]);
    expect(loads).toHaveLength(2);
    expect(bench.store.log.read(threadId, { types: ["data"] })).toMatchObject([{ data: { others: [] } }]);
  });

  it("makes the sandbox anew when files came, and not under a run at work", async () => {
    const bench = await makeBench(onTestFinished, (request) =>
      request.message === "long" ? untilStopped(request) : echo(request),
    );
    const threadId = await bench.newThread();
    await bench.ask(threadId, "one");
    const long = bench.ask(threadId, "long");
    await expect.poll(() => bench.runner.activity(threadId).runId).toBeDefined();
    await expect.poll(() => bench.types(threadId).filter((type) => type === "token")).toHaveLength(2);
    await bench.store.threads.addFiles(threadId, [await upload(bench, "new.csv")]);
    await bench.runner.prepare(threadId);
    expect(bench.sandboxes.calls).not.toContain(`rest ${threadId}`);
    await bench.runner.stop(threadId);
    await long;
    await expect.poll(() => bench.types(threadId).filter((type) => type === "data")).toHaveLength(2);
    expect(bench.sandboxes.calls).toContain(`rest ${threadId}`);
    expect(bench.sandboxes.living.get(threadId)).toEqual(["new.csv"]);
  });
});

describe("a sandbox that cannot be had", () => {
  const unavailable = new AtollError("runtime_unavailable", "bubblewrap is not installed");

  it("is an event when a thread is prepared and an error of the run, and can be had later", async () => {
    const bench = await makeBench(onTestFinished, echo);
    bench.sandboxes.failure = unavailable;
    const threadId = await bench.newThread();
    expect(await bench.runner.prepare(threadId)).toBeUndefined();
    expect(await bench.ask(threadId, "one")).toMatchObject({ status: "failed" });
    expect(bench.types(threadId)).toEqual(["error", "message", "run_started", "status", "error", "done"]);
    for (const error of bench.store.log.read(threadId, { types: ["error"] })) {
      expect(error).toMatchObject({ code: "runtime_unavailable", message: "bubblewrap is not installed" });
    }
    bench.sandboxes.failure = undefined;
    expect(await bench.ask(threadId, "two")).toMatchObject({ status: "completed" });
  });

  it("fails the wake of an agent that asks for it, not the process when it does not", async () => {
    const asks: Answer = async (request) => {
      void request.wake();
      await new Promise((resolve) => setImmediate(resolve));
      if (request.message === "ask") await request.wake();
      return outcome("without");
    };
    const bench = await makeBench(onTestFinished, asks);
    const threadId = await bench.newThread();
    await bench.runner.prepare(threadId);
    bench.sandboxes.failure = unavailable;
    expect(await bench.ask(threadId, "do not ask")).toMatchObject({ status: "completed" });
    expect(await bench.ask(threadId, "ask")).toMatchObject({ status: "failed" });
    expect(bench.store.log.read(threadId, { types: ["error"] })).toMatchObject([
      { code: "runtime_unavailable" },
    ]);
  });

  it("whose tables could not be loaded loads them the next time", async () => {
    const bench = await makeBench(onTestFinished, echo);
    bench.sandboxes.loadFailure = new AtollError("sandbox_dead", "the sandbox has ended");
    const threadId = await bench.newThread();
    await bench.runner.prepare(threadId);
    bench.sandboxes.loadFailure = undefined;
    expect(await bench.ask(threadId, "one")).toMatchObject({ status: "completed" });
    expect(bench.types(threadId)).toContain("data");
  });

  it("whose tables could not be loaded again still has to load them", async () => {
    const bench = await makeBench(onTestFinished, async (request) => outcome((await request.wake()).state));
    const threadId = await bench.newThread();
    await bench.ask(threadId, "one");
    bench.sandboxes.living.clear();
    bench.sandboxes.loadFailure = new AtollError("sandbox_dead", "the sandbox has ended");
    expect(await bench.ask(threadId, "two")).toMatchObject({ status: "failed" });
    bench.sandboxes.loadFailure = undefined;
    expect(await bench.ask(threadId, "three")).toMatchObject({ status: "completed" });
    expect(bench.sandboxes.calls.filter((call) => call.startsWith("load"))).toHaveLength(3);
  });

  it("is not asked for when a file of the thread is gone", async () => {
    const bench = await makeBench(onTestFinished, echo);
    const fileId = await upload(bench, "a.csv");
    await bench.store.threads.create({ id: "thread_f", fileIds: [fileId] });
    const { rmSync } = await import("node:fs");
    rmSync(bench.store.uploads.hostPath(fileId));
    expect(await bench.ask("thread_f", "one")).toMatchObject({ status: "failed" });
    const [error] = bench.store.log.read("thread_f", { types: ["error"] });
    expect(error).toMatchObject({
      code: "not_found",
      message: 'The file "a.csv" is no longer on the server.',
    });
    expect(JSON.stringify(error)).not.toContain(bench.dataDir);
  });
});

async function upload(bench: Bench, name: string): Promise<string> {
  async function* content() {
    yield Buffer.from("a,b\n1,2\n");
  }
  return (await bench.store.uploads.receive(name, content(), { maxBytes: 1000 })).fileId;
}
