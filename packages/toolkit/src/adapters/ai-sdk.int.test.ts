import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateText, isStepCount, type ModelMessage, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { SandboxSession, type SandboxSessionOptions } from "../session/sandbox-session.ts";
import { toAiSandbox, toAiTools } from "./ai-sdk.ts";

let dataDir = "";
let session: SandboxSession;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "atoll-ai-sdk-"));
  session = await SandboxSession.create({ dataDir });
});
afterAll(async () => {
  await session.close();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model that calls these tools, one a step, and then says that it is done. */
function scripted(...calls: readonly { name: string; input: unknown }[]): MockLanguageModelV4 {
  const steps = calls.map(({ name, input }, index) => ({
    content: [
      {
        type: "tool-call" as const,
        toolCallId: `call_${index}`,
        toolName: name,
        input: JSON.stringify(input),
      },
    ],
    finishReason: { unified: "tool-calls" as const, raw: undefined },
    usage,
    warnings: [],
  }));
  const last = {
    content: [{ type: "text" as const, text: "done" }],
    finishReason: { unified: "stop" as const, raw: undefined },
    usage,
    warnings: [],
  };
  return new MockLanguageModelV4({ doGenerate: [...steps, last] });
}

const resultsSeenBy = (model: MockLanguageModelV4) =>
  model.doGenerateCalls.at(-1)?.prompt.flatMap(({ role, content }) => (role === "tool" ? content : [])) ?? [];

async function generate(
  model: MockLanguageModelV4,
  options: { names?: string[]; from?: SandboxSession } = {},
) {
  const { names, from = session } = options;
  const tools = toAiTools(from, names ? { names } : {});
  return generateText({ model, tools, stopWhen: isStepCount(5), prompt: "go" });
}

describe("the AI SDK's tools", () => {
  it("are all of the session's, or those that are picked, by the name they are picked by", () => {
    expect(Object.keys(toAiTools(session))).toEqual(session.tools.map(({ name }) => name));
    expect(Object.keys(toAiTools(session, { names: ["code_sandbox", "grep"] }))).toEqual([
      "code_sandbox",
      "grep",
    ]);
  });

  it("run for a model, which reads what they say and keeps its variables", async () => {
    const model = scripted(
      { name: "code_sandbox", input: { code: "x = 41" } },
      { name: "code_sandbox", input: { code: "print(x + 1)" } },
    );
    const { text, steps } = await generate(model, { names: ["code_sandbox"] });
    expect(text).toBe("done");
    expect(resultsSeenBy(model)).toMatchObject([
      { output: { type: "text", value: "(no output)" } },
      { output: { type: "text", value: "42" } },
    ]);
    expect(steps[1]?.toolResults[0]?.output).toMatchObject({ isError: false, data: { stdout: "42\n" } });
  });

  it("show a model the schema, and tell it which arguments do not fit", async () => {
    const model = scripted({ name: "execute_shell", input: { command: 5 } });
    await generate(model, { names: ["execute_shell"] });
    expect(model.doGenerateCalls[0]?.tools).toMatchObject([
      {
        type: "function",
        name: "execute_shell",
        inputSchema: { properties: { command: { type: "string" } } },
      },
    ]);
    expect(resultsSeenBy(model)).toMatchObject([
      { output: { type: "error-text", value: expect.stringContaining("command") } },
    ]);
  });

  it("show pictures as file parts, and failures as errors", async () => {
    const model = scripted(
      {
        name: "execute_python",
        input: { code: "import matplotlib.pyplot as plt\nplt.plot([1])\nplt.show()" },
      },
      { name: "execute_python", input: { code: "1 / 0" } },
    );
    await generate(model);
    expect(resultsSeenBy(model)).toMatchObject([
      {
        output: {
          type: "content",
          value: [{ type: "text" }, { type: "file", mediaType: "image/png", data: { type: "data" } }],
        },
      },
      { output: { type: "error-text", value: expect.stringContaining("ZeroDivisionError") } },
    ]);
  });

  it("stop when the generation is aborted", async () => {
    const giveUp = new AbortController();
    const model = scripted({
      name: "execute_python",
      input: { code: "import time\nprint('started', flush=True)\ntime.sleep(1000)" },
    });
    const stopping = {
      sandbox: session.sandbox,
      tools: session.tools,
      call: ((name, input, options) =>
        session.call(name, input, {
          ...options,
          report: { output: () => giveUp.abort() },
        })) as SandboxSession["call"],
    };
    const tools = toAiTools(stopping, { names: ["execute_python"] });
    await generateText({ model, tools, prompt: "go", abortSignal: giveUp.signal }).catch(() => undefined);
    expect(giveUp.signal.aborted).toBe(true);
    expect(await session.call("execute_python", { code: "print('free')" })).toMatchObject({ text: "free" });
  });
});

describe("approvals of the AI SDK", () => {
  const rules: SandboxSessionOptions["rules"] = [
    { tool: "execute_shell", permission: "ask" },
    { tool: "file_write", permission: "deny" },
  ];
  const echo = { name: "shell_exec", input: { command: "echo approved" } };

  it("are asked for where a rule says so, and the call runs once it is approved", async () => {
    await using guarded = await SandboxSession.create({ dataDir, rules });
    const { messages, request } = await askFor(guarded);
    const approval = {
      type: "tool-approval-response" as const,
      approvalId: request?.approvalId ?? "",
      approved: true,
    };
    // Another process would have tools of its own.
    const model = scripted();
    await generateText({
      model,
      tools: toAiTools(guarded, { names: ["shell_exec"] }),
      messages: [...messages, { role: "tool", content: [approval] }],
    });
    expect(resultsSeenBy(model)).toMatchObject([{ output: { type: "text", value: "approved" } }]);
  });

  it("cannot be claimed by a call that was never asked about", async () => {
    await using guarded = await SandboxSession.create({ dataDir, rules });
    const { shell_exec } = toAiTools(guarded, { names: ["shell_exec"] });
    const around = { toolCallId: "call_0", messages: [], context: {} };
    expect(await shell_exec?.execute?.(echo.input, around)).toMatchObject({ isError: true });
  });

  it("cannot overrule a rule that denies, and are not asked for where the session asks by itself", async () => {
    await using guarded = await SandboxSession.create({
      dataDir,
      rules,
      approve: async () => ({ decision: "allow" }),
    });
    const model = scripted(echo, { name: "file_write", input: { file: "x", content: "x" } });
    await generate(model, { from: guarded, names: ["shell_exec", "file_write"] });
    expect(resultsSeenBy(model)).toMatchObject([
      { output: { type: "text", value: "approved" } },
      { output: { type: "error-text", value: expect.stringContaining("A rule does not allow") } },
    ]);
  });

  async function askFor(guarded: SandboxSession) {
    const asked = await generate(scripted(echo), { from: guarded, names: ["shell_exec"] });
    const request = asked.content.find((part) => part.type === "tool-approval-request");
    expect(request).toMatchObject({ toolCall: { toolName: "shell_exec", input: echo.input } });
    const messages: ModelMessage[] = [{ role: "user", content: "go" }, ...asked.response.messages];
    return { messages, request };
  }
});

describe("the AI SDK's sandbox", () => {
  it("is what tools of one's own are handed by generateText", async () => {
    const model = scripted({ name: "count", input: { path: "words.txt" } });
    const count = tool({
      description: ({ experimental_sandbox }) => `Counts words. ${experimental_sandbox?.description}`,
      inputSchema: z.object({ path: z.string() }),
      async execute({ path }, { experimental_sandbox: sandbox }) {
        await sandbox?.writeTextFile({ path, content: "one two three\n" });
        return (await sandbox?.run({ command: `wc -w < ${path}` }))?.stdout.trim();
      },
    });
    await generateText({
      model,
      tools: { count },
      stopWhen: isStepCount(3),
      prompt: "go",
      experimental_sandbox: toAiSandbox(session.sandbox),
    });
    expect(model.doGenerateCalls[0]?.tools).toMatchObject([
      { description: expect.stringContaining("/workspace") },
    ]);
    expect(resultsSeenBy(model)).toMatchObject([{ output: { type: "text", value: "3" } }]);
  });
});
