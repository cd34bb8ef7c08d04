// A deepagents agent whose files and commands are those of an Atoll sandbox. Run it with:
//   npx node examples/deepagents-backend.ts
import { createDeepAgent } from "deepagents";
import { SandboxSession } from "@atoll/toolkit";
import { AtollBackend } from "@atoll/toolkit/deepagents";
import { LangChainModel } from "./models/langchain-model.ts";
import { openModelOr } from "./models/open-model.ts";

const program = "a, b = 0, 1\nfor _ in range(10):\n    print(a, end=' ')\n    a, b = b, a + b\n";
const script = [
  { call: "write_file", input: { file_path: "/workspace/fibonacci.py", content: program } },
  { call: "execute", input: { command: "python3 /workspace/fibonacci.py" } },
  { call: "edit_file", input: { file_path: "/workspace/fibonacci.py", old_string: "10", new_string: "12" } },
  { call: "execute", input: { command: "python3 /workspace/fibonacci.py" } },
  { call: "grep", input: { pattern: "range(", path: "/workspace", output_mode: "content" } },
  { say: "The program prints twelve Fibonacci numbers." },
];

await using session = await SandboxSession.create();
const agent = createDeepAgent({
  model: new LangChainModel(await openModelOr(script)),
  backend: new AtollBackend(session),
  systemPrompt: "You work in a Linux sandbox. Your files are in /workspace.",
});
const task = `Write /workspace/fibonacci.py, which prints the first 10 Fibonacci numbers, and run it.
Then edit it to print 12, run it again, and say what it prints.`;
const { messages } = await agent.invoke({ messages: [{ role: "user", content: task }] });
for (const message of messages.filter(({ type }) => type === "tool"))
  console.log(`${message.name}: ${message.text.trim()}`);
console.log(`agent: ${messages.at(-1)?.text}`);
console.log(`in the sandbox: ${(await session.sandbox.files.readText("fibonacci.py")).split("\n")[1]}`);
