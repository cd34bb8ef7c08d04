import { expect, it, onTestFinished } from "vitest";
import type { AnswerRequest } from "@atoll/agent";
import { AtollError } from "@atoll/sandbox";
import { openTemporaryStore } from "../store/temporary-store.harness.ts";
import { echo, makeHarness, outcome, untilStopped } from "./threads.harness.ts";

const never = new AbortController().signal;

it("code waits its turn like a message, runs as a turn of `you`, and asks for no model", async () => {
  const seen: AnswerRequest[] = [];
  const harness = await makeHarness(
    onTestFinished,
    (request) => {
      seen.push(request);
      return request.message === "long" ? untilStopped(request) : echo(request);
    },
    {
      resolveModel: ({ model }) => {
        if (model === undefined) return { kind: "built-in" };
        throw new AtollError("invalid_argument", "no key");
      },
    },
  );
  const threadId = await harness.newThread();
  await harness.runner.submit(threadId, { text: "long" });
  const first = await harness.runner.submit(threadId, { text: "x = 1", language: "python" });
  const second = await harness.runner.submit(threadId, { text: "ls", language: "shell" });
  expect([first.position, second.position]).toEqual([1, 2]);
  await harness.waitFor(threadId, "token");
  await harness.store.threads.update(threadId, { settings: { model: "openai:gone" } });
  await harness.runner.stop(threadId);
  await harness.runner.waitForDone(threadId, second.messageId, never);
  expect(seen.map(({ model, message }) => [model, message])).toEqual([
    [{ kind: "built-in" }, "long"],
    [{ kind: "user", language: "python" }, "x = 1"],
    [{ kind: "user", language: "shell" }, "ls"],
  ]);
  const events = harness.store.log.read(threadId, { types: ["message", "run_started"] });
  expect(events.filter(({ type }) => type === "message")).toMatchObject([
    { text: "long" },
    { text: "x = 1", kind: "code", language: "python", mode: "queue" },
    { text: "ls", kind: "code", language: "shell" },
  ]);
  expect(events.at(-1)).toMatchObject({ type: "run_started", model: "you" });
});

it("models read code that the user ran as a turn of its own", async () => {
  const histories: AnswerRequest["history"][] = [];
  const harness = await makeHarness(onTestFinished, async (request) => {
    histories.push(request.history);
    if (request.model.kind !== "user") return echo(request);
    request.emit({
      type: "tool_call",
      call_id: "c1",
      tool: "execute_python",
      input: { code: request.message },
    });
    const result = { output: "42", is_error: false, duration_ms: 1 };
    request.emit({ type: "tool_result", call_id: "c1", tool: "execute_python", ...result });
    return outcome("");
  });
  const threadId = await harness.newThread();
  const { messageId } = await harness.runner.submit(threadId, { text: "6 * 7", language: "python" });
  await harness.runner.waitForDone(threadId, messageId, never);
  await harness.ask(threadId, "and now?");
  expect(histories[1]).toMatchObject([
    { user: "6 * 7", isCode: true, status: "completed", parts: [{ kind: "call", output: "42" }] },
  ]);
});

it("after a server that died, code under way is closed as interrupted, and code that waits is run", async () => {
  const store = await openTemporaryStore(onTestFinished);
  await store.threads.create({ id: "thread_a", fileIds: [] });
  const code = { type: "message", role: "user", mode: "queue", kind: "code" } as const;
  await store.log.append("thread_a", [
    { event: { ...code, message_id: "m1", text: "while True: pass", language: "python" } },
    { event: { type: "run_started", run_id: "run_1", message_id: "m1", model: "you" }, runId: "run_1" },
    {
      event: {
        type: "tool_call",
        call_id: "c1",
        tool: "execute_python",
        input: { code: "while True: pass" },
      },
      runId: "run_1",
    },
    { event: { ...code, message_id: "m2", text: "ls", language: "shell" } },
  ]);
  const seen: AnswerRequest["model"][] = [];
  const harness = await makeHarness(
    onTestFinished,
    (request) => {
      seen.push(request.model);
      return echo(request);
    },
    { store },
  );
  await harness.runner.recover();
  expect(await harness.runner.waitForDone("thread_a", "m1", never)).toMatchObject({
    status: "interrupted",
    model: "you",
  });
  await harness.runner.waitForDone("thread_a", "m2", never);
  expect(seen).toEqual([{ kind: "user", language: "shell" }]);
});

it("a message that was to steer code is answered after it", async () => {
  const harness = await makeHarness(onTestFinished, (request) =>
    request.model.kind === "user" ? untilStopped(request) : echo(request),
  );
  const threadId = await harness.newThread();
  await harness.runner.submit(threadId, { text: "x", language: "python" });
  await harness.waitFor(threadId, "token");
  const steering = await harness.runner.submit(threadId, { text: "hello", mode: "steer" });
  await harness.runner.stop(threadId);
  const done = await harness.runner.waitForDone(threadId, steering.messageId, never);
  expect(done).toMatchObject({ response: "hello", message_id: steering.messageId });
});
