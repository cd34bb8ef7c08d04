import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AIMessage, HumanMessage, type ToolMessage } from "@langchain/core/messages";
import { StructuredTool } from "@langchain/core/tools";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { Command, interrupt, MemorySaver, MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { SandboxSession, type SandboxSessionOptions } from "../session/sandbox-session.ts";
import type { SessionApproval } from "../permissions/permit-call.ts";
import { toLangChainTools } from "./langchain.ts";

let dataDir = "";
let session: SandboxSession;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "atoll-langchain-"));
  session = await SandboxSession.create({ dataDir });
});
afterAll(async () => {
  await session.close();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

const call = (name: string, args: object, id = "call_1") => ({ type: "tool_call" as const, id, name, args });

async function toolNamed(name: string, from: SandboxSession = session): Promise<StructuredTool> {
  const [tool] = await from.getTools({ names: [name] });
  return tool as StructuredTool;
}

describe("LangChain's tools", () => {
  it("are structured tools, all of the session's, with the schemas as they are", async () => {
    const tools = await session.getTools();
    expect(tools.map(({ name }) => name)).toEqual(session.tools.map(({ name }) => name));
    for (const [index, tool] of tools.entries()) {
      expect(tool).toBeInstanceOf(StructuredTool);
      expect(tool.description).toBe(session.tools[index]?.description);
      const schema = toJsonSchema(tool.schema as z.ZodType) as { type: string; properties: object };
      expect(schema.type).toBe("object");
      const own = z.toJSONSchema(session.tools[index]?.input as z.ZodType, { io: "input" });
      expect(Object.keys(schema.properties)).toEqual(Object.keys(own.properties ?? {}));
    }
  });

  it("can be picked by any of their names, and go by that name", async () => {
    const [tool] = await session.getTools({ names: ["code_sandbox"] });
    expect(tool?.name).toBe("code_sandbox");
    await expect(session.getTools({ names: ["nothing"] })).rejects.toMatchObject({
      code: "invalid_argument",
    });
  });

  it("answer a call with a message, and plain arguments with the text", async () => {
    const tool = await toolNamed("code_sandbox");
    expect(await tool.invoke({ code: "print(6 * 7)" })).toBe("42");
    const message = (await tool.invoke(call("code_sandbox", { code: "print('数')" }))) as ToolMessage;
    expect(message).toMatchObject({
      content: "数",
      status: "success",
      tool_call_id: "call_1",
      name: "code_sandbox",
    });
    expect(message.artifact).toMatchObject({ isError: false, data: { status: "ok", stdout: "数\n" } });
  });

  it("show pictures as content blocks", async () => {
    const tool = await toolNamed("execute_python");
    const code = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()";
    const { content } = (await tool.invoke(call("execute_python", { code }))) as ToolMessage;
    expect(content).toMatchObject([
      { type: "text" },
      { type: "image", mimeType: "image/png", data: expect.stringMatching(/^iVBOR/) },
    ]);
  });

  it("tell a failure as a message with the status error", async () => {
    const tool = await toolNamed("execute_python");
    const failed = (await tool.invoke(call("execute_python", { code: "1 / 0" }))) as ToolMessage;
    expect(failed).toMatchObject({ status: "error", content: expect.stringContaining("ZeroDivisionError") });
    expect(failed.artifact).toMatchObject({ isError: true, data: { status: "error" } });
  });

  it("tell arguments that do not fit in the same way, and throw where no message can be made", async () => {
    const tool = await toolNamed("execute_python");
    const message = await tool.invoke(call("execute_python", { code: 5 }));
    expect(message).toMatchObject({ status: "error", content: expect.stringMatching(/do not fit[^]*code/) });
    await expect(tool.invoke({ code: 5 })).rejects.toThrow("did not match expected schema");
  });

  it("stop when the config's signal says so", async () => {
    const giveUp = new AbortController();
    const stopping = openWith({ report: () => giveUp.abort() });
    const [tool] = toLangChainTools(stopping, { names: ["execute_python"] });
    const code = "import time\nprint('started', flush=True)\ntime.sleep(1000)";
    await expect(tool?.invoke({ code }, { signal: giveUp.signal })).rejects.toThrow(/abort/i);
    expect(await session.call("execute_python", { code: "print('free')" })).toMatchObject({ text: "free" });
  });

  /** The session, telling when something is printed. */
  function openWith({ report }: { report: () => void }) {
    const { sandbox, tools } = session;
    const calling: SandboxSession["call"] = (name, input, options) =>
      session.call(name, input, { ...options, report: { output: report } });
    return { sandbox, tools, call: calling };
  }
});

describe("a graph with these tools", () => {
  const runs = (name: string, args: object) => ({
    messages: [new AIMessage({ content: "", tool_calls: [{ id: "call_1", name, args }] })],
  });

  it("gets every answer from a tool node, failures too", async () => {
    const node = new ToolNode(await session.getTools({ names: ["execute_python"] }));
    const { messages } = await node.invoke(runs("execute_python", { code: "print(1)\n1 / 0" }));
    expect(messages).toMatchObject([{ status: "error", tool_call_id: "call_1" }]);
  });

  it("can wait for a person with LangGraph's own interrupt", async () => {
    const options: SandboxSessionOptions = {
      dataDir,
      rules: [{ tool: "execute_shell", permission: "ask" }],
      approve: async ({ tool, input }) => interrupt<object, SessionApproval>({ tool, input }),
    };
    await using guarded = await SandboxSession.create(options);
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("tools", new ToolNode(await guarded.getTools({ names: ["shell_exec"] })))
      .addEdge("__start__", "tools")
      .compile({ checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: "1" } };
    const first = [new HumanMessage("go"), ...runs("shell_exec", { command: "echo approved" }).messages];
    const paused = await graph.invoke({ messages: first }, config);
    expect(paused).toMatchObject({
      __interrupt__: [{ value: { tool: "shell_exec", input: { command: "echo approved" } } }],
    });
    const resumed = await graph.invoke(new Command({ resume: { decision: "allow" } }), config);
    expect(resumed.messages.at(-1)).toMatchObject({ content: "approved", status: "success" });
  });
});
