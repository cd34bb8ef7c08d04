import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { Sandbox } from "@atoll/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answer, finish, reply, startScriptedOpenAI, toolCall } from "../support/scripted-openai/index.ts";

const root = resolve(import.meta.dirname, "../..");
let dataDir = "";
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "atoll-examples-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));

/** What it prints, with no model but the one that is given. */
async function run(name: string, model: Record<string, string> = {}): Promise<string> {
  const own = Object.entries(process.env).filter(([key]) => !/^(OPENAI|ANTHROPIC|GOOGLE|ATOLL)_/.test(key));
  const env = { ...Object.fromEntries(own), ATOLL_DATA_DIR: dataDir, ...model };
  const program = join(root, "examples", name);
  const { stdout } = await promisify(execFile)(process.execPath, [program], { cwd: root, env });
  expect(await Sandbox.list({ dataDir })).toEqual([]);
  return stdout;
}

const pinnedAndEphemeral = [
  /^ephemeral: code_sandbox said: NameError: name 'x' is not defined$/m,
  /^pinned: code_sandbox said: x is 41$/m,
];

describe("the examples, with a scripted model", () => {
  it("are all run by a test", async () => {
    const there = (await readdir(join(root, "examples"))).filter((name) => name.endsWith(".ts"));
    expect(there.toSorted()).toEqual([
      "ai-sdk-agent.ts",
      "deepagents-backend.ts",
      "first-sandbox.ts", // by tests/docs.test.ts
      "langgraph-code-sandbox.ts",
    ]);
  });

  it("langgraph-code-sandbox.ts: variables stay in a pinned session, and not in an ephemeral one", async () => {
    const output = await run("langgraph-code-sandbox.ts");
    for (const line of pinnedAndEphemeral) expect(output).toMatch(line);
  });

  it("deepagents-backend.ts: files and commands of the agent are those of the sandbox", async () => {
    const output = await run("deepagents-backend.ts");
    expect(output).toMatch(/^execute: 0 1 1 2 3 5 8 13 21 34 $/m);
    expect(output).toMatch(/^execute: 0 1 1 2 3 5 8 13 21 34 55 89 $/m);
    expect(output).toMatch(/^in the sandbox: for _ in range\(12\):$/m);
  });

  it("ai-sdk-agent.ts: tools, rules, and a tool of one's own on the same sandbox", async () => {
    const output = await run("ai-sdk-agent.ts");
    expect(output).toMatch(/^execute_python: category\nShopping +99268\.24$/m);
    expect(output).toMatch(/^count_lines: 4 lines$/m);
    expect(output).toMatch(/^file_write: A rule does not allow this call/m);
  });
});

describe("the examples, with a model at an address", () => {
  it("speak to it as to any other", async () => {
    await using models = await startScriptedOpenAI();
    for (const _ of ["ephemeral", "pinned"])
      models.script(
        reply(toolCall("code_sandbox", { code: "x = 41" }, { id: "first" }), finish("tool_calls")),
        reply(toolCall("code_sandbox", { code: 'print("x is", x)' }, { id: "second" }), finish("tool_calls")),
        answer("So it is."),
      );
    const output = await run("langgraph-code-sandbox.ts", {
      OPENAI_BASE_URL: models.baseUrl,
      OPENAI_MODEL: "scripted",
    });
    for (const line of pinnedAndEphemeral) expect(output).toMatch(line);
    expect(output).toMatch(/^pinned: the agent said: So it is\.$/m);
    expect(models.requests).toHaveLength(6);
    expect(models.requests[0]?.body.tools).toMatchObject([
      { function: { name: "code_sandbox", parameters: { properties: { code: { type: "string" } } } } },
    ]);
    expect(models.requests[5]?.body.messages.at(-1)).toMatchObject({ role: "tool", content: "x is 41" });
  });
});
