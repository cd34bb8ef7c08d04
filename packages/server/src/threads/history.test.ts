import type { ThreadEvent } from "@atoll/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import { message, openTemporaryStore } from "../store/temporary-store.harness.ts";
import { outcome } from "./threads.harness.ts";
import { TurnHistory } from "./history.ts";

describe("turns", () => {
  it("tell texts, calls and what steered, in the order in which they happened", async () => {
    const { log, threads } = await openTemporaryStore(onTestFinished);
    await threads.create({ id: "thread_a", fileIds: [] });
    const events: ThreadEvent[] = [
      message("m1", "question").event,
      started("run_1", "m1"),
      { type: "status", text: "thinking" },
      { type: "token", text: "Let me " },
      { type: "token", text: "look." },
      { type: "tool_call", call_id: "c1", tool: "execute_python", input: { code: "1" } },
      { type: "tool_call", call_id: "c2", tool: "execute_shell", input: { command: "ls" } },
      {
        type: "tool_result",
        call_id: "c1",
        tool: "execute_python",
        output: "1",
        is_error: false,
        duration_ms: 1,
      },
      message("m2", "in pounds").event,
      { type: "steered", message_id: "m2" },
      { type: "token", text: "Done." },
      done("run_1", "m1", "stopped"),
      message("m3", "unanswered").event,
      started("run_2", "m3"),
      { type: "token", text: "not yet" },
    ];
    await log.append(
      "thread_a",
      events.map((event) => ({ event })),
    );
    expect(new TurnHistory(log, "thread_a").read()).toEqual([
      {
        user: "question",
        status: "stopped",
        parts: [
          { kind: "text", text: "Let me look." },
          {
            kind: "call",
            callId: "c1",
            tool: "execute_python",
            input: { code: "1" },
            output: "1",
            isError: false,
          },
          { kind: "call", callId: "c2", tool: "execute_shell", input: { command: "ls" }, isError: false },
          { kind: "steering", text: "in pounds" },
          { kind: "text", text: "Done." },
        ],
      },
    ]);
  });

  it("tell of code that was run without a tool call", async () => {
    const { log, threads } = await openTemporaryStore(onTestFinished);
    await threads.create({ id: "thread_a", fileIds: [] });
    const codeRun = { call_id: "c1", language: "python", code: "1/0", output: "", exec_ms: 1 } as const;
    const result = { status: "error", exit_code: 1, truncated: false } as const;
    const events: ThreadEvent[] = [
      message("m1", "q").event,
      started("run_1", "m1"),
      { type: "code_run", ...codeRun, ...result },
      done("run_1", "m1"),
    ];
    await log.append(
      "thread_a",
      events.map((event) => ({ event })),
    );
    expect(new TurnHistory(log, "thread_a").read()[0]?.parts).toEqual([
      {
        kind: "call",
        callId: "c1",
        tool: "execute_python",
        input: { code: "1/0" },
        output: "",
        isError: true,
      },
    ]);
  });

  it("are the latest that the limits allow, read anew or read on", async () => {
    const { log, threads } = await openTemporaryStore(onTestFinished);
    await threads.create({ id: "thread_a", fileIds: [] });
    const limits = { maxTurns: 3, maxChars: 25 };
    const kept = new TurnHistory(log, "thread_a", limits);
    // Every message waits until the others are sent: its run is far from it in the log.
    await log.append(
      "thread_a",
      Array.from({ length: 10 }, (_, n) => message(`m${n}`, `question ${n}`)),
    );
    for (let n = 0; n < 10; n += 1) {
      const events = [started(`run_${n}`, `m${n}`), done(`run_${n}`, `m${n}`)];
      await log.append(
        "thread_a",
        events.map((event) => ({ event })),
      );
      const expected = n === 0 ? ["question 0"] : [`question ${n - 1}`, `question ${n}`];
      expect(kept.read().map((turn) => turn.user)).toEqual(expected);
      expect(new TurnHistory(log, "thread_a", limits).read()).toEqual(kept.read());
    }
  });
});

function started(runId: string, messageId: string): ThreadEvent {
  return { type: "run_started", run_id: runId, message_id: messageId, model: "built-in" };
}

function done(runId: string, messageId: string, status: "completed" | "stopped" = "completed"): ThreadEvent {
  const ids = { thread_id: "thread_a", run_id: runId, message_id: messageId };
  return { ...outcome("", status), type: "done", ...ids };
}
