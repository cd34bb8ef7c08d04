import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { allTools } from "./all-tools.ts";
import { caseContext, caseFiles, toolCases } from "./tool-cases.harness.ts";
import { openSession, type TestSession } from "./tool-call.harness.ts";

let session: TestSession;
beforeAll(async () => {
  session = await openSession(caseFiles);
});
afterAll(() => session.close());

describe("every tool", () => {
  it("is in the table of this test, has a name of its own and a text for the model", () => {
    expect(Object.keys(toolCases).toSorted()).toEqual(allTools.map(({ name }) => name).toSorted());
    for (const { description } of allTools) expect(description.length).toBeGreaterThan(40);
  });

  it("has arguments that a model, or Python, can write down", () => {
    for (const { name, input } of allTools) {
      const schema = z.toJSONSchema(input, { io: "input" });
      expect(schema.type, name).toBe("object");
      for (const key of Object.keys(schema.properties ?? {}))
        expect(key).toMatch(/^(?!from$|in$)[a-z][a-z_]*$/);
    }
  });
});

describe.each(Object.entries(toolCases))("%s", (name, { good, says, bad, prepare }) => {
  it("works", async () => {
    if (prepare) expect((await session.sandbox.commands.run(prepare)).stderr).toBe("");
    const output = await session.call(name, good, caseContext);
    expect(output.text).toMatch(says);
    expect(output.isError).toBe(false);
    expect(() => JSON.stringify(output.data)).not.toThrow();
  });

  it("says which arguments do not fit", async () => {
    const output = await session.call(name, bad, caseContext);
    expect(output).toMatchObject({ isError: true, text: expect.stringMatching(`do not fit ${name}:\n`) });
  });

  it("gives up when it is stopped", async () => {
    const output = await session.call(name, good, { ...caseContext, signal: AbortSignal.abort() });
    expect(output).toMatchObject({ isError: true, errorCode: "aborted" });
  });
});

describe("a runtime that has neither programs, nor a terminal, nor ports", () => {
  const needsPrograms = [
    "execute_shell",
    "shell_interactive",
    "javascript_exec",
    "pip_install",
    "git_status",
    "git_diff",
    "git_commit",
    "git_log",
    "git_clone",
    "git_push",
    "http_request",
    "execute_code",
    "preview_url",
  ];

  it.each(needsPrograms)("does not support %s, and says so", async (name) => {
    const whole = session.sandbox.restricted();
    const capabilities = { ...whole.info.capabilities, shell: false, pty: false, ports: false };
    const sandbox = { ...whole, info: { ...whole.info, capabilities } };
    const output = await session.call(name, toolCases[name]?.good, { ...caseContext, sandbox });
    expect(output).toMatchObject({
      isError: true,
      errorCode: "not_supported",
      text: expect.stringContaining(`${name} is not supported by this runtime: `),
    });
  });

  it.each(["javascript_exec", "git_status"])("nor does one without the program of %s", async (name) => {
    const path = (await session.sandbox.env.get("PATH")) ?? null;
    await session.sandbox.env.set({ PATH: "/nowhere" });
    const output = await session.call(name, toolCases[name]?.good);
    await session.sandbox.env.set({ PATH: path });
    expect(output).toMatchObject({
      errorCode: "not_supported",
      text: expect.stringMatching(/has no (node|git)/),
    });
  });
});
