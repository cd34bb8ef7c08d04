import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { ThreadEvent } from "@atoll/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../store/open.ts";
import { makeDataDir, message, openTemporaryStore, token } from "../store/temporary-store.harness.ts";
import { echo, makeHarness, outcome } from "./threads.harness.ts";

const never = new AbortController().signal;

describe("after a server that died", () => {
  it("its run is closed with what was said, and the messages that waited are answered in order", async () => {
    const store = await openTemporaryStore(onTestFinished);
    await store.threads.create({ id: "thread_a", fileIds: [] });
    await append(store, "run_1", [
      message("m1", "one").event,
      { type: "run_started", run_id: "run_1", message_id: "m1", model: "openai:gpt" },
      token("half an ").event,
      message("m2", "two").event,
      { ...message("m3", "steers").event, mode: "steer" } as ThreadEvent,
      { ...message("m4", "steered").event, mode: "steer" } as ThreadEvent,
      { type: "steered", message_id: "m4" },
      message("m5", "taken back").event,
      { type: "message_removed", message_id: "m5" },
      { type: "code_run", ...codeRun },
      { type: "approval", approval_id: "a1", call_id: "c2", tool: "execute_shell", input: {} },
      token("answer").event,
    ]);
    const lastSeen = store.log.lastId("thread_a");
    const answered: string[] = [];
    const harness = await makeHarness(
      onTestFinished,
      (request) => {
        answered.push(request.message);
        return echo(request);
      },
      { store },
    );
    await harness.runner.recover();

    const closing = store.log.read("thread_a", { runId: "run_1", after: lastSeen });
    expect(closing.map((event) => event.type)).toEqual(["approval_decided", "error", "done"]);
    expect(closing[0]).toMatchObject({ id: lastSeen + 1001, approval_id: "a1", decision: "deny" });
    expect(closing[1]).toMatchObject({ code: "interrupted", hint: expect.stringContaining("again") });
    expect(closing[2]).toMatchObject({
      status: "interrupted",
      response: "half an answer",
      model: "openai:gpt",
      run_id: "run_1",
      message_id: "m1",
      code_runs: [codeRun],
    });
    await Promise.all(["m2", "m3"].map((id) => harness.runner.waitForDone("thread_a", id, never)));
    expect(answered).toEqual(["two", "steers"]);
    expect(await harness.runner.waitForDone("thread_a", "m4", never)).toMatchObject({ run_id: "run_1" });
    await expect.poll(() => store.log.unsettled()).toEqual([]);
  });

  it("is recovered once: a second look changes nothing", async () => {
    const store = await openTemporaryStore(onTestFinished);
    await store.threads.create({ id: "thread_a", fileIds: [] });
    await append(store, "run_1", [
      message("m1").event,
      { type: "run_started", run_id: "run_1", message_id: "m1", model: "built-in" },
    ]);
    const harness = await makeHarness(onTestFinished, echo, { store });
    await harness.runner.recover();
    const types = harness.types("thread_a");
    expect(types).toEqual(["message", "run_started", "error", "done"]);
    await harness.runner.recover();
    expect(harness.types("thread_a")).toEqual(types);
  });

  it("threads that had ended their runs are left alone", async () => {
    const store = await openTemporaryStore(onTestFinished);
    await store.threads.create({ id: "thread_a", fileIds: [] });
    const ids = { thread_id: "thread_a", run_id: "run_1", message_id: "m1" };
    await append(store, "run_1", [
      message("m1").event,
      { type: "run_started", run_id: "run_1", message_id: "m1", model: "built-in" },
      { ...outcome("fine"), type: "done", ...ids },
    ]);
    const harness = await makeHarness(onTestFinished, echo, { store });
    await harness.runner.recover();
    expect(harness.types("thread_a")).toEqual(["message", "run_started", "done"]);
    await expect.poll(() => store.log.unsettled()).toEqual([]);
  });

  it("a thread whose log is damaged does not keep the others from their answers", async () => {
    const dataDir = await makeDataDir(onTestFinished);
    const before = await openStore({ dataDir });
    for (const id of ["thread_a", "thread_b"]) {
      await before.threads.create({ id, fileIds: [] });
      await before.log.append(id, [message("m1", `asked in ${id}`)], { isDurable: true });
    }
    await before.close();
    const database = new DatabaseSync(join(dataDir, "server/atoll.db"));
    database.exec("UPDATE events SET payload = replace(payload, 'asked in thread_a', 'asked in thread_A')");
    database.close();

    const harness = await makeHarness(onTestFinished, echo, { dataDir });
    await harness.runner.recover();
    await expect(harness.runner.waitForDone("thread_b", "m1", never)).resolves.toMatchObject({
      response: "asked in thread_b",
    });
    expect(harness.faults).toMatchObject([{ threadId: "thread_a", error: { code: "damaged" } }]);
    // Once it is repaired, the next start answers it.
    expect(harness.store.log.unsettled()).toContain("thread_a");
  });

  it("the interrupted turn is part of the history", async () => {
    const store = await openTemporaryStore(onTestFinished);
    await store.threads.create({ id: "thread_a", fileIds: [] });
    await append(store, "run_1", [
      message("m1", "one").event,
      { type: "run_started", run_id: "run_1", message_id: "m1", model: "built-in" },
      token("half").event,
    ]);
    let history: unknown;
    const harness = await makeHarness(
      onTestFinished,
      async (request) => {
        history = request.history;
        return outcome("");
      },
      { store },
    );
    await harness.runner.recover();
    await harness.ask("thread_a", "two");
    expect(history).toEqual([
      { user: "one", status: "interrupted", parts: [{ kind: "text", text: "half" }] },
    ]);
  });
});

const codeRun = {
  call_id: "c1",
  language: "python",
  code: "1+1",
  output: "2",
  exec_ms: 3,
  status: "ok",
  exit_code: 0,
  truncated: false,
} as const;

async function append(
  store: Awaited<ReturnType<typeof openTemporaryStore>>,
  runId: string,
  events: readonly ThreadEvent[],
): Promise<void> {
  const ofRun = (event: ThreadEvent) => !event.type.startsWith("message");
  await store.log.append(
    "thread_a",
    events.map((event) => (ofRun(event) ? { event, runId } : { event })),
  );
}
