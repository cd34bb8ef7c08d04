import { afterAll, beforeAll, expect, it } from "vitest";
import { Installation, whyNoInstallation } from "../support/installation.ts";
import { describeIf } from "../support/requirements.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { callInSession, connectMcp } from "../support/mcp-client.ts";

const requirement = { suite: "an MCP session at any server", missing: whyNoInstallation(), isRequired: true };

describeIf(requirement, () => {
  let installation: Installation;
  let first: ServerProcess;
  let second: ServerProcess;
  beforeAll(async () => {
    installation = await Installation.create("mcp");
    const env = { ATOLL_LEASE_S: "2" };
    [first, second] = await Promise.all([installation.start(env), installation.start(env)]);
  });
  afterAll(() => installation[Symbol.asyncDispose]());

  it("is answered by the server that owns it, and starts over after that server has died", async () => {
    const { python, sessionId } = await connectMcp(`${first.url}/mcp`);
    // Before its sandbox is there, and after.
    expect(await callInSession(`${second.url}/mcp`, sessionId, "x = '里'")).toMatchObject({ status: 200 });
    expect(await python("print(x)")).toBe("里");
    expect((await callInSession(`${second.url}/mcp`, sessionId, "print(x * 3)")).text).toContain("里里里");
    await first.kill();
    const lost = async () => (await callInSession(`${second.url}/mcp`, sessionId, "1")).status;
    await expect.poll(lost, { interval: 500 }).toBe(404);
    const again = await connectMcp(`${second.url}/mcp`);
    expect(await again.python("'x' in globals()")).toBe("False");
  });
});
