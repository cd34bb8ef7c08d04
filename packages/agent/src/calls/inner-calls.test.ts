import { type AskedCall, executeCode, type Tool } from "@atoll/toolkit";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import {
  answer as say,
  finish,
  reply,
  startScriptedOpenAI,
  toolCall,
} from "../../../../tests/support/scripted-openai/index.ts";
import { answer } from "../answer/answer.ts";
import type { AnswerRequest } from "../request.ts";
import { testRequest } from "../loop/request.harness.ts";
import { idleSandbox, relay, shout } from "../loop/tools.harness.ts";

const tools = [relay, shout, executeCode] as Tool[];

async function askForRelay(calls: readonly object[], overrides: Partial<AnswerRequest> = {}) {
  const models = await startScriptedOpenAI();
  onTestFinished(() => models.close());
  models.script(reply(toolCall("relay", { calls }), finish("tool_calls")), say("Done."));
  const asked: AskedCall[] = [];
  const test = testRequest(models.baseUrl, {
    tools,
    wake: idleSandbox,
    approve: async (call) => {
      asked.push(call);
      return { decision: "allow" };
    },
    ...overrides,
  });
  const outcome = await answer(test.request);
  return { test, outcome, asked, told: models.requests[1]?.body.messages.at(-1)?.content };
}

describe("a call that is made by a program", () => {
  it("is asked about with the arguments as they were parsed, and runs with that very object", async () => {
    const ran: unknown[] = [];
    const echo: Tool<{ text: string; times: number }> = {
      name: "echo",
      description: "Echoes.",
      input: z.object({ text: z.string(), times: z.int().default(2) }),
      isReadOnly: true,
      run: async (input) => {
        ran.push(input);
        return { text: "", isError: false };
      },
    };
    const calls = [{ name: "echo", input: { text: "a", hidden: "b" } }];
    const { asked } = await askForRelay(calls, { tools: [relay, echo] as Tool[] });
    expect(asked[1]?.input).toEqual({ text: "a", times: 2 });
    expect(ran[0]).toBe(asked[1]?.input);
  });

  it("is announced, asked about and told of as a part of the program's call", async () => {
    const { test, asked, told } = await askForRelay([{ name: "shout", input: { text: "hey" } }]);
    expect(told).toBe("HEY");
    const [outer, inner] = test.of("tool_call");
    expect(outer?.parent_call_id).toBeUndefined();
    expect(inner).toMatchObject({ tool: "shout", parent_call_id: outer?.call_id });
    expect(asked).toMatchObject([
      { tool: "relay", agent: "main" },
      { tool: "shout", agent: "main", callId: inner?.call_id, parentCallId: outer?.call_id },
    ]);
    expect(test.of("tool_result")).toMatchObject([
      { call_id: inner?.call_id, output: "HEY", parent_call_id: outer?.call_id },
      { call_id: outer?.call_id },
    ]);
  });

  it("is refused, or runs with other arguments, for itself alone", async () => {
    const { told } = await askForRelay(
      ["no", "edit", "yes"].map((text) => ({ name: "shout", input: { text } })),
      {
        approve: async ({ tool, input }) => {
          const { text } = input as { text?: string };
          if (tool !== "shout" || text === "yes") return { decision: "allow" };
          if (text === "no") return { decision: "deny", by: "rule" };
          return { decision: "allow", input: { text: "edited" } };
        },
      },
    );
    expect(told).toBe(
      '!A rule does not allow this call.\n[The user changed the arguments. The call ran with {"text":"edited"}]\nEDITED\nYES',
    );
  });

  it("cannot start another program, nor a tool that is not there, nor with arguments that do not fit", async () => {
    const { told, asked } = await askForRelay([
      { name: "execute_code", input: { code: "1" } },
      { name: "launch", input: {} },
      { name: "shout", input: { text: 7 } },
    ]);
    const lines = told?.split("\n") ?? [];
    expect(lines[0]).toContain('!There is no tool "execute_code"');
    expect(told).toContain('!There is no tool "launch"');
    expect(told).toContain("!The arguments do not fit shout");
    expect(asked).toHaveLength(1);
  });

  it("gives no more text than it is asked for", async () => {
    const { told } = await askForRelay([{ name: "shout", input: { text: "x".repeat(100_000) } }]);
    expect(told?.length).toBeLessThan(1000);
  });

  it("ends with the stop", async () => {
    const models = await startScriptedOpenAI();
    onTestFinished(() => models.close());
    const calls = [{ name: "shout", input: { text: "hey" } }];
    models.script(reply(toolCall("relay", { calls }), finish("tool_calls")));
    const test = testRequest(models.baseUrl, {
      tools,
      wake: idleSandbox,
      approve: async ({ tool }) => {
        if (tool === "relay") return { decision: "allow" };
        test.stop();
        return new Promise(() => {});
      },
    });
    expect(await answer(test.request)).toMatchObject({ status: "stopped" });
    expect(test.of("tool_result").filter(({ tool }) => tool === "shout")).toEqual([]);
  });
});
