// A LangGraph agent with the tool `code_sandbox`, once with a fresh sandbox for every call (ephemeral) and once with one
// that stays (pinned). Run it with:  npx node examples/langgraph-code-sandbox.ts
import { HumanMessage } from "@langchain/core/messages";
import { MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { SandboxSession } from "@atoll/toolkit";
import { LangChainModel } from "./models/langchain-model.ts";
import { openModelOr } from "./models/open-model.ts";

const question = `Call code_sandbox twice, even if the first call seems to be enough. In the first call run: x = 41
In the second call run: print("x is", x)
Then tell me in one sentence whether the second call knew x.`;

const script = [
  { call: "code_sandbox", input: { code: "x = 41" } },
  { call: "code_sandbox", input: { code: 'print("x is", x)' } },
  { say: "That is what the second call said." },
];

for (const mode of ["ephemeral", "pinned"] as const) {
  await using session = await SandboxSession.create({ mode });
  const tools = await session.getTools({ names: ["code_sandbox"] });
  const model = new LangChainModel(await openModelOr(script)).bindTools(tools);
  const agent = new StateGraph(MessagesAnnotation)
    .addNode("model", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
    .addNode("tools", new ToolNode(tools))
    .addEdge(START, "model")
    .addConditionalEdges("model", toolsCondition, ["tools", "__end__"])
    .addEdge("tools", "model")
    .compile();
  const { messages } = await agent.invoke({ messages: [new HumanMessage(question)] });
  for (const message of messages.filter(({ type }) => type === "tool"))
    console.log(`${mode}: ${message.name} said: ${message.text.trim().split("\n").at(-1)}`);
  console.log(`${mode}: the agent said: ${messages.at(-1)?.text}`);
}
