import { describe, expect, it } from "vitest";
import { addDelay, makeOutcome } from "./run-outcome.ts";

const facts = { status: "completed", model: "built-in", container_state: "hot", response: "42" } as const;
const codeRun = {
  call_id: "c",
  language: "python",
  code: "6 * 7",
  output: "42",
  exec_ms: 20,
  status: "ok",
  exit_code: 0,
  truncated: false,
} as const;

describe("the outcome of a run", () => {
  it("counts as overhead what is neither model, code nor a wait for the sandbox", () => {
    const outcome = makeOutcome({
      ...facts,
      codeRuns: [codeRun],
      totalMs: 100.04,
      ttftMs: 30,
      modelMs: [40, 10],
      wakeMs: 12,
      blockedMs: 5,
    });
    expect(outcome).toMatchObject({ openai_calls: 2, total_ms: 100 });
    expect(outcome.timings_ms).toEqual({
      ttft: 30,
      ttft_saved: 70,
      sandbox_restore: 12,
      openai_per_call: [40, 10],
      openai_total: 50,
      exec_per_call: [20],
      exec_total: 20,
      overhead: 25,
    });
  });

  it("has no time to the first token when nothing was said", () => {
    const outcome = makeOutcome({ ...facts, codeRuns: [], totalMs: 10, ttftMs: null });
    expect(addDelay(outcome, 5).timings_ms).toMatchObject({ ttft: null, ttft_saved: null, overhead: 15 });
  });

  it("includes the time before the agent was asked", () => {
    const outcome = makeOutcome({ ...facts, codeRuns: [], totalMs: 10, ttftMs: 4 });
    expect(addDelay(outcome, 5)).toMatchObject({
      total_ms: 15,
      timings_ms: { ttft: 9, ttft_saved: 6, overhead: 15 },
    });
    expect(addDelay(outcome, 5, 1)).toMatchObject({ timings_ms: { ttft: 1, ttft_saved: 14 } });
  });
});
