import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";
import { openToolSession } from "@atoll/toolkit";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ApiSandboxes } from "../../api-sandboxes/api-sandboxes.ts";
import { OwnSandbox } from "./own-sandbox.ts";
import type { McpService } from "./service.ts";
import { McpSessions } from "./sessions.ts";
import { createConformanceServer, PNG } from "../../../../../tests/support/mcp-conformance.ts";
import { createConformanceTools } from "./conformance-tools.harness.ts";
import { makeSandboxDir, startMcpServer } from "./http-clients.harness.ts";

const require = createRequire(import.meta.url);
let place: Awaited<ReturnType<typeof makeSandboxDir>>;
beforeAll(async () => {
  place = await makeSandboxDir();
});
afterAll(() => place.remove());

/** The public runner, as its command line. */
async function runConformance(
  url: string,
  args: readonly string[],
): Promise<{ code: number | null; output: string }> {
  const runner = require.resolve("@modelcontextprotocol/conformance/dist/index.js");
  const child = spawn(process.execPath, [runner, "server", "--url", url, ...args], { cwd: place.dir });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, output: out + err };
}

/** The same sessions over the same HTTP surface, with the tools that the runner looks for. */
function createConformanceService(): McpService {
  const sessions = new McpSessions({ idleMs: 60_000, onProblem: (error) => console.error(error) });
  const apiSandboxes = new ApiSandboxes({ dataDir: place.dir });
  const tools = createConformanceTools(PNG);
  const open = async (id: string) => {
    const sandbox = new OwnSandbox(id, apiSandboxes, () => ({}));
    const session = {
      tools,
      call: async (...call: Parameters<ReturnType<typeof openToolSession>["call"]>) =>
        openToolSession(await sandbox.open(), { tools }).call(...call),
    };
    return createConformanceServer(session, () => sandbox.remove());
  };
  return {
    sessions,
    handle: (request, { body }) => sessions.handle({ name: "own", open }, request, body),
  };
}

describe("the public conformance runner", () => {
  it("finds nothing wrong with a server that has all it looks for", async () => {
    const { url } = await startMcpServer(onTestFinished, {
      sandboxDir: place.dir,
      mcp: createConformanceService(),
    });
    const { code, output } = await runConformance(`${url}/mcp`, ["--suite", "all"]);
    expect(code, output).toBe(0);
    expect(output.match(/^✓ /gm), output).toHaveLength(32);
    expect(output).toContain("Total: 44 passed, 0 failed");
  });

  // The other scenarios call tools, prompts and resources of fixed names, which a server of ours has no reason to have.
  const plain = [
    "server-initialize",
    "ping",
    "tools-list",
    "logging-set-level",
    "resources-list",
    "resources-subscribe",
    "resources-unsubscribe",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
  ];

  it("finds nothing wrong with the server as it is", async () => {
    const { url } = await startMcpServer(onTestFinished, { sandboxDir: place.dir });
    for (const scenario of plain) {
      const { code, output } = await runConformance(`${url}/mcp`, ["--scenario", scenario]);
      expect(code, output).toBe(0);
    }
  });
});
