import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Sandbox } from "@atoll/sandbox";
import { SandboxSession, type SandboxSessionOptions } from "@atoll/toolkit";
import { AtollBackend } from "@atoll/toolkit/deepagents";
import { toAiSandbox } from "@atoll/toolkit/ai-sdk";
import { afterAll, beforeAll, expect, it } from "vitest";
import { useDockerEngine } from "../support/docker-engine/index.ts";
import { describeIf } from "../support/requirements.ts";

const { missing } = await useDockerEngine();

describeIf({ suite: "sessions in containers", missing, isRequired: true }, () => {
  let dataDir = "";
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "atoll-docker-sessions-"));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));

  const open = (options: SandboxSessionOptions) =>
    SandboxSession.create({ runtime: "docker", dataDir, ...options });
  const python = async (session: SandboxSession, code: string) =>
    (await session.call("code_sandbox", { code })).text;

  it("find files and variables again, and leave no container", async () => {
    {
      await using session = await open({ sessionId: "chat 一" });
      await python(session, "x = 41\nopen('kept.txt', 'w').write('here')");
    }
    const states = (await Sandbox.list({ runtime: "docker", dataDir })).map(({ state }) => state);
    expect(states).toEqual(["dead"]);
    await using again = await open({ sessionId: "chat 一" });
    expect(await python(again, "print(x + 1, open('kept.txt').read())")).toBe("42 here");
    await again.destroy();
    expect(await Sandbox.list({ runtime: "docker", dataDir })).toEqual([]);
  });

  it("give every run a fresh container in ephemeral mode, and keep its artifacts", async () => {
    await using session = await open({ mode: "ephemeral" });
    await python(session, "x = 1");
    expect(await python(session, "x")).toContain("NameError");
    const { data } = await session.call("code_sandbox", {
      code: "open('/work/artifacts/made.txt', 'w').write('made')",
    });
    expect(data).toMatchObject({
      artifact_map: { "/work/artifacts/made.txt": expect.stringContaining(dataDir) },
    });
  });

  it("are the sandbox of the AI SDK and of deepagents, too", async () => {
    await using session = await open({});
    const sandbox = toAiSandbox(session.sandbox);
    await sandbox.writeTextFile({ path: "a/b.txt", content: "one\n" });
    expect(await sandbox.run({ command: "cat b.txt", workingDirectory: "a" })).toMatchObject({
      stdout: "one\n",
    });
    const backend = new AtollBackend(session);
    expect(await backend.edit("/workspace/a/b.txt", "one", "two")).toMatchObject({ occurrences: 1 });
    expect(await backend.execute("cat a/b.txt")).toMatchObject({ output: "two", exitCode: 0 });
  });
});
