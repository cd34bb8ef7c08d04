import { describe, expect, it } from "vitest";
import { RunTally } from "./run-outcome.ts";

const end = { status: "completed", model: "built-in", container_state: "hot" } as const;
const codeRun = {
  type: "code_run",
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
    const tally = new RunTally(1000);
    tally.observe({ type: "token", text: "4" }, 1030);
    tally.observe(codeRun, 1060);
    tally.observe({ type: "token", text: "2" }, 1090);
    tally.addModelCall(40);
    tally.addModelCall(10);
    const outcome = tally.outcome({ ...end, wakeMs: 12, blockedMs: 5 }, 1100.04);
    expect(outcome).toMatchObject({ ...end, response: "42", openai_calls: 2, total_ms: 100 });
    expect(outcome.code_runs).toMatchObject([{ call_id: "c", output: "42" }]);
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

  it("has no time to the first token when nothing was said, and ends with the last event", () => {
    const tally = new RunTally(1000);
    tally.observe({ type: "status", text: "thinking" }, 1015);
    expect(tally.outcome(end)).toMatchObject({
      total_ms: 15,
      timings_ms: { ttft: null, ttft_saved: null, overhead: 15 },
    });
  });

  it("adds up the tokens that were used, and leaves them out when the model does not tell", () => {
    const tally = new RunTally();
    tally.addUsage(undefined, undefined);
    expect(tally.outcome(end)).not.toHaveProperty("usage");
    tally.addUsage(10, 2);
    tally.addUsage(undefined, 3);
    expect(tally.outcome(end).usage).toEqual({ input_tokens: 10, output_tokens: 5 });
  });
});
