import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HarnessV1 } from "@ai-sdk/harness";
import { HarnessAgent } from "@ai-sdk/harness/agent";
import { Sandbox } from "@atoll/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandboxProvider } from "./ai-harness.ts";

let dataDir = "";
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "atoll-harness-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));

const living = async () =>
  (await Sandbox.list({ dataDir })).filter(({ state }) => state === "running").length;

describe("sandboxes for the AI SDK's harness agents", () => {
  it("a real harness agent sets its runtime up in one, works there, and takes it along when it ends", async () => {
    const seen: string[] = [];
    const harness = {
      specificationVersion: "harness-v1",
      harnessId: "probe",
      builtinTools: {},
      getBootstrap: async () => ({
        harnessId: "probe",
        bootstrapDir: "/workspace/.probe",
        files: [{ path: "/workspace/.probe/hello.txt", content: "你好" }],
        commands: [{ command: "wc -c < /workspace/.probe/hello.txt > /workspace/.probe/size" }],
      }),
      async doStart({ sandboxSession, sessionId }) {
        const { stdout } = await sandboxSession.run({ command: "cat /workspace/.probe/size; pwd" });
        seen.push(stdout);
        const unused = () => Promise.reject(new Error("not in this test"));
        return {
          sessionId,
          isResume: false,
          doPromptTurn: unused,
          doContinueTurn: unused,
          doDetach: unused,
          doStop: unused,
          doDestroy: async () => {},
        } as never;
      },
    } as HarnessV1;
    const agent = new HarnessAgent({ harness, sandbox: createSandboxProvider({ dataDir }) });
    const session = await agent.createSession({ sessionId: "chat 一" });
    expect(seen).toEqual(["6\n/workspace\n"]);
    expect(await living()).toBe(1);
    await session.destroy();
    expect(await Sandbox.list({ dataDir })).toEqual([]);
  });

  it("comes back with its files by its session's id, and only if there is one", async () => {
    const provider = createSandboxProvider({ dataDir });
    let firsts = 0;
    const onFirstCreate = async () => void (firsts += 1);
    const first = await provider.createSession({ sessionId: "kept", onFirstCreate });
    await first.writeTextFile({ path: "notes.txt", content: "later" });
    await first.stop();
    await first.stop();
    expect(await living()).toBe(0);
    const again = await provider.createSession({ sessionId: "kept", onFirstCreate });
    expect(firsts).toBe(1);
    await again.stop();
    const resumed = await provider.resumeSession?.({ sessionId: "kept" });
    expect(await resumed?.restricted().readTextFile({ path: "notes.txt" })).toBe("later");
    await resumed?.stop();
    await resumed?.destroy();
    await expect(provider.resumeSession?.({ sessionId: "kept" })).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await Sandbox.list({ dataDir })).toEqual([]);
  });

  it("leaves nothing when its set-up fails", async () => {
    const provider = createSandboxProvider({ dataDir });
    const onFirstCreate = () => Promise.reject(new Error("no room"));
    await expect(provider.createSession({ sessionId: "broken", onFirstCreate })).rejects.toThrow("no room");
    expect(await Sandbox.list({ dataDir })).toEqual([]);
  });

  it("leads to the ports that were named", async () => {
    const session = await createSandboxProvider({ dataDir, ports: [8000] }).createSession();
    try {
      const server = await session.spawn({ command: "python3 -u -m http.server 8000 2>&1" });
      const output = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
      expect((await output.read()).value).toContain("8000");
      const { url } = await session.getPortEndpoint({ port: 8000 });
      expect((await fetch(url)).status).toBe(200);
      expect((await session.getPortEndpoint({ port: 8000, protocol: "ws" })).url).toMatch(/^ws:\/\/127/);
      await expect(session.getPortEndpoint({ port: 22 })).rejects.toMatchObject({ code: "invalid_argument" });
    } finally {
      await session.destroy();
    }
  });

  it("takes a network policy that names hosts, and refuses one that names ranges", async () => {
    const session = await createSandboxProvider({ dataDir }).createSession();
    try {
      await session.setNetworkPolicy?.({ mode: "custom", allowedHosts: ["example.com"] });
      const { stdout } = await session.run({ command: "env | grep -ci http_proxy" });
      expect(Number(stdout)).toBeGreaterThan(0);
      const ranges = { mode: "custom", allowedCIDRs: ["10.0.0.0/8"] } as const;
      await expect(session.setNetworkPolicy?.(ranges)).rejects.toMatchObject({ code: "not_supported" });
      await session.setNetworkPolicy?.({ mode: "deny-all" });
    } finally {
      await session.destroy();
    }
  });
});
