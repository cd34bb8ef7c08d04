import { AtollError } from "@atoll/sandbox";
import { expect, it, onTestFinished } from "vitest";
import type { Store } from "../store/contract.ts";
import { openTemporaryStore } from "../store/temporary-store.harness.ts";
import { echo, makeHarness, outcome } from "./threads.harness.ts";

const never = new AbortController().signal;

it("a run that cannot be stored ends, shows only what is stored, and is closed when there is room", async () => {
  const store = await openTemporaryStore(onTestFinished);
  let isFull = false;
  const full = () => new AtollError("disk_full", "The server's disk is full.", { isRetryable: true });
  const log: Store["log"] = Object.assign(Object.create(store.log), {
    append: (...given: Parameters<Store["log"]["append"]>) =>
      isFull ? Promise.reject(full()) : store.log.append(...given),
    read: store.log.read.bind(store.log),
    follow: store.log.follow.bind(store.log),
    lastId: store.log.lastId.bind(store.log),
    settle: store.log.settle.bind(store.log),
    close: store.log.close.bind(store.log),
  });
  const harness = await makeHarness(
    onTestFinished,
    async (request) => {
      if (request.message !== "one") return echo(request);
      request.emit({ type: "token", text: "stored" });
      await harness.waitFor(threadId, "token");
      isFull = true;
      request.emit({ type: "token", text: "not stored" });
      await new Promise<void>((resolve) => request.signal.addEventListener("abort", () => resolve()));
      return outcome("stored and not stored", "stopped");
    },
    { store: { ...store, log } },
  );
  const threadId = await harness.newThread();
  const { messageId } = await harness.runner.submit(threadId, { text: "one" });
  const first = harness.runner.waitForDone(threadId, messageId, never);
  await expect(first).rejects.toMatchObject({ code: "disk_full" });
  await expect(harness.runner.submit(threadId, { text: "lost" })).rejects.toMatchObject({
    code: "disk_full",
  });
  expect(harness.types(threadId)).not.toContain("done");
  expect(await harness.runner.stop(threadId)).toBe(true);

  isFull = false;
  expect(await harness.runner.waitForDone(threadId, messageId, never)).toMatchObject({
    status: "failed",
    response: "stored",
  });
  expect(harness.store.log.read(threadId, { types: ["error"] })).toMatchObject([{ code: "disk_full" }]);
  expect(await harness.ask(threadId, "two")).toMatchObject({ status: "completed", response: "two" });
});
