import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SandboxSession } from "@atoll/toolkit";
import { AtollBackend } from "@atoll/toolkit/deepagents";
import { createDeepAgent } from "deepagents";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LangChainModel } from "../../examples/models/langchain-model.ts";
import { scriptModel, type Step } from "../../examples/models/open-model.ts";

let dataDir = "";
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "atoll-deep-agent-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));

async function work(session: SandboxSession, ...steps: readonly Step[]) {
  const model = new LangChainModel(scriptModel([...steps, { say: "done" }]));
  const agent = createDeepAgent({ model, backend: new AtollBackend(session) });
  const { messages } = await agent.invoke({ messages: [{ role: "user", content: "go" }] });
  return messages.filter(({ type }) => type === "tool").map(({ name, text }) => ({ name, text }));
}

describe("an agent of deepagents in a sandbox", () => {
  it("finds the results again that were too long for it", async () => {
    await using session = await SandboxSession.create({ dataDir });
    const [long, found] = await work(
      session,
      { call: "execute", input: { command: "seq 1 60000 | sed 's/^/line /'" } },
      { call: "grep", input: { pattern: "line 59999", path: "/large_tool_results", output_mode: "content" } },
    );
    expect(long?.text).toContain("/large_tool_results/");
    expect(long?.text.length).toBeLessThan(50_000);
    expect(found?.text).toContain("line 59999");
  });

  it("uses every one of its file tools there", async () => {
    await using session = await SandboxSession.create({ dataDir });
    const path = "/workspace/数据/notes.md";
    const results = await work(
      session,
      { call: "write_file", input: { file_path: path, content: "one\ntwo\n" } },
      { call: "ls", input: { path: "/workspace/数据" } },
      { call: "read_file", input: { file_path: path } },
      { call: "edit_file", input: { file_path: path, old_string: "two", new_string: "three" } },
      { call: "glob", input: { pattern: "**/*.md" } },
      { call: "grep", input: { pattern: "three", output_mode: "content" } },
      { call: "read_file", input: { file_path: "/workspace/nowhere" } },
    );
    const texts = results.map(({ text }) => text);
    expect(texts[1]).toContain(`${path} (8 bytes)`);
    expect(texts[2]).toMatch(/one[^]*two/);
    expect(texts[4]).toContain(path);
    expect(texts[5]).toContain("three");
    expect(texts[6]).toMatch(/Error: .*nowhere/);
    expect(await session.sandbox.files.readText(path)).toBe("one\nthree\n");
  });

  it("is held to the rules of the session", async () => {
    const rules = [{ tool: "execute_shell", input: { command: "*secret*" }, permission: "deny" }] as const;
    await using session = await SandboxSession.create({ dataDir, rules });
    const [refused] = await work(session, { call: "execute", input: { command: "touch secret" } });
    expect(refused?.text).toContain("A rule does not allow");
    expect(await session.sandbox.files.exists("secret")).toBe(false);
  });
});
