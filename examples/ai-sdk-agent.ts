// An agent of the AI SDK with Atoll's tools, and a tool of its own that uses the same sandbox through the SDK's sandbox
// interface. Run it with:  npx node examples/ai-sdk-agent.ts
import { join } from "node:path";
import { generateText, isStepCount, jsonSchema, tool } from "ai";
import { SandboxSession } from "@atoll/toolkit";
import { toAiSandbox, toAiTools } from "@atoll/toolkit/ai-sdk";
import { openModelOr } from "./models/open-model.ts";

const code = `import pandas as pd
df = pd.read_csv("/data/transactions.csv")
totals = df.groupby("category").amount.sum().nlargest(3)
totals.to_csv("/workspace/totals.csv")
print(totals)`;
const script = [
  { call: "execute_python", input: { code } },
  { call: "count_lines", input: { path: "totals.csv" } },
  { call: "file_write", input: { file: "secret.txt", content: "x" } },
  { say: "The three largest categories are in totals.csv." },
];

await using session = await SandboxSession.create({
  datasets: [join(import.meta.dirname, "../data/transactions.csv")],
  rules: [{ tool: "file_write", permission: "deny" }],
});
const countLines = tool({
  description: "Counts the lines of a file.",
  inputSchema: jsonSchema<{ path: string }>({
    type: "object",
    properties: { path: { type: "string" } },
    required: ["path"],
  }),
  async execute({ path }, { experimental_sandbox: sandbox }) {
    const { stdout } = (await sandbox?.run({ command: `wc -l < "$FILE"`, env: { FILE: path } })) ?? {};
    return `${stdout?.trim()} lines`;
  },
});
const { text, steps } = await generateText({
  model: await openModelOr(script),
  tools: {
    ...toAiTools(session, { names: ["execute_python", "file_write"] }),
    count_lines: countLines,
  },
  experimental_sandbox: toAiSandbox(session.sandbox),
  stopWhen: isStepCount(8),
  prompt: `Which three categories of /data/transactions.csv have the largest total amount? Write them to
/workspace/totals.csv with execute_python, and count its lines. Then try to write secret.txt with file_write.`,
});
for (const { toolName, output } of steps.flatMap(({ toolResults }) => toolResults))
  console.log(`${toolName}: ${typeof output === "string" ? output : (output as { text: string }).text}`);
console.log(`agent: ${text}`);
