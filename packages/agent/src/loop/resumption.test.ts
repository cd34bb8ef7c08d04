import type { Tool } from "@atoll/toolkit";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  answer as say,
  finish,
  reply,
  type Script,
  startScriptedOpenAI,
  toolCall,
} from "../../../../tests/support/scripted-openai/index.ts";
import { answer } from "../answer/answer.ts";
import type { TurnPart } from "../history.ts";
import type { AnswerRequest, Approval } from "../request.ts";
import { testRequest } from "./request.harness.ts";
import { idleSandbox, shout } from "./tools.harness.ts";

const call = (callId: string, text: string, output?: string): TurnPart => ({
  kind: "call",
  callId,
  tool: "shout",
  input: { text },
  isError: false,
  output,
});

const codeRun = {
  call_id: "c0",
  language: "python",
  code: "1",
  output: "1",
  exec_ms: 2,
  status: "ok",
  exit_code: 0,
  truncated: false,
} as const;

const parts: TurnPart[] = [
  { kind: "text", text: "First." },
  call("c0", "done", "DONE"),
  { kind: "steering", text: "hurry" },
  call("c1", "one", "ONE"),
  call("c2", "two"),
  call("c3", "three"),
];

async function resume(
  scripts: readonly Script[],
  overrides: Partial<AnswerRequest> = {},
  { steps = 2 } = {},
) {
  const models = await startScriptedOpenAI();
  onTestFinished(() => models.close());
  models.script(...scripts);
  const test = testRequest(models.baseUrl, {
    message: "go",
    tools: [shout as Tool],
    wake: idleSandbox,
    resume: { parts, steps, codeRuns: [codeRun] },
    ...overrides,
  });
  return { test, outcome: await answer(test.request), models };
}

describe("a run that goes on from the log", () => {
  it("makes the calls that have no result, then the model sees the whole turn", async () => {
    const asked: string[] = [];
    const approve = async ({ callId }: { callId: string }): Promise<Approval> => {
      asked.push(callId);
      return callId === "c3" ? { decision: "deny", reason: "no" } : { decision: "allow", hasWaited: true };
    };
    const { test, outcome, models } = await resume([say("And last.")], { approve });
    expect(asked).toEqual(["c2", "c3"]);
    expect(test.of("tool_call")).toEqual([]);
    expect(test.of("tool_result")).toMatchObject([
      { call_id: "c2", output: "TWO" },
      { call_id: "c3", is_error: true, output: "The user did not allow this call: no" },
    ]);
    expect(outcome).toMatchObject({
      status: "completed",
      response: "First.\n\nAnd last.",
      code_runs: [codeRun],
      openai_calls: 1,
    });
    const messages = models.requests[0]?.body.messages ?? [];
    expect(messages.slice(1).map(({ role, content }) => [role, content])).toEqual([
      ["user", "go"],
      ["assistant", "First."],
      ["tool", "DONE"],
      ["user", "hurry"],
      ["assistant", null],
      ["tool", "ONE"],
      ["tool", "TWO"],
      ["tool", "The user did not allow this call: no"],
    ]);
    expect(messages[5]?.tool_calls).toHaveLength(3);
  });

  it("has the steps that are left", async () => {
    const again = reply(toolCall("shout", { text: "more" }), finish("tool_calls"));
    const { outcome, test } = await resume([again, say("Summed up.")], { limits: { maxSteps: 3 } });
    expect(test.of("status").at(-1)?.text).toContain("All 3 steps");
    expect(outcome.response).toBe("First.\n\nSummed up.");
  });

  it("wakes the sandbox only when a call is to be made", async () => {
    let wakes = 0;
    const wake = () => {
      wakes += 1;
      return idleSandbox();
    };
    const deny = async (): Promise<Approval> => ({ decision: "deny", by: "timeout" });
    const { test, outcome } = await resume([say("Well.")], { wake, approve: deny });
    expect(wakes).toBe(0);
    expect(outcome.container_state).toBe("unused");
    expect(test.of("tool_result")[0]?.output).toBe("Nobody allowed this call in time.");
  });

  it("goes on at once where every call has its result", async () => {
    const resumption = { parts: parts.slice(0, 4), steps: 2, codeRuns: [] };
    const { test, outcome } = await resume([say("Fine.")], { resume: resumption });
    expect(test.of("tool_result")).toEqual([]);
    expect(outcome.response).toBe("First.\n\nFine.");
  });

  it("can be stopped while it makes its calls", async () => {
    const models = await startScriptedOpenAI();
    onTestFinished(() => models.close());
    const test = testRequest(models.baseUrl, {
      tools: [shout as Tool],
      wake: idleSandbox,
      resume: { parts, steps: 1, codeRuns: [] },
      approve: () => {
        test.stop();
        return new Promise(() => {});
      },
    });
    expect(await answer(test.request)).toMatchObject({ status: "stopped", response: "First." });
    expect(models.requests).toEqual([]);
  });
});
